//! property: null-deref
//! verdict: false(null-deref)
//! decided-by: auto
//! model: lp64
#include <stdlib.h>

struct node { int value; struct node *next; };

int main(void) {
    struct node *n = 0;
    return n->next == 0;
}
