//! property: valid-memcleanup
//! verdict: true
//! decided-by: auto
//! model: lp64
#include <stdlib.h>

struct node { int value; struct node *next; };

int main(void) {
    struct node *n = malloc(sizeof *n);
    n->next = 0;
    while (n) {
        struct node *next = n->next;
        free(n);
        n = next;
    }
    return 0;
}
