//! property: null-deref
//! verdict: false(null-deref)
//! decided-by: auto
//! model: lp64
#include <stdlib.h>

struct node { int value; struct node *next; };

int main(void) {
    struct node b = {2, 0}, a = {1, &b};
    struct node *n = &a;
    while (n->value != 3)
        n = n->next;
    return 0;
}
