//! property: valid-memsafety
//! verdict: false(valid-memtrack)
//! decided-by: auto
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

// The last node of a list is not freed.
struct node {
    struct node *next;
};

int main(void) {
    struct node *list = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *new = malloc(sizeof *new);
        new->next = list;
        list = new;
    }
    while (list && list->next) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
