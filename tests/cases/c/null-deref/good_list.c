//! property: null-deref
//! verdict: true
//! decided-by: auto
//! model: lp64
#include <stdlib.h>

struct node { int value; struct node *next; };

int main(void) {
    struct node b = {2, 0}, a = {1, &b};
    int sum = 0;
    for (struct node *n = &a; n; n = n->next)
        sum += n->value;
    return sum - 3;
}
