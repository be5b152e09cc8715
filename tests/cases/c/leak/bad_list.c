//! property: valid-memcleanup
//! verdict: false(valid-memcleanup)
//! decided-by: auto
//! model: lp64
#include <stdlib.h>

struct node { int value; struct node *next; };

int main(void) {
    struct node *n = malloc(sizeof *n);
    n->next = malloc(sizeof *n);
    free(n);
    return 0;
}
