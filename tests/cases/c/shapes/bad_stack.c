//! property: valid-memsafety
//! verdict: false(valid-deref)
//! decided-by: auto
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

// The loop that frees reads the next node after it was freed.
struct node {
    int data;
    struct node *next;
};

int main(void) {
    struct node *list = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *new = malloc(sizeof *new);
        new->data = 1;
        new->next = list;
        list = new;
    }
    while (list) {
        free(list);
        list = list->next;
    }
    return 0;
}
