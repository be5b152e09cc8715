//! property: valid-memsafety
//! verdict: false(valid-deref)
//! decided-by: auto
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

// The third node is freed through a second pointer to it, and the list is traversed.
struct node {
    int data;
    struct node *next;
};

int main(void) {
    struct node *list = 0, *third = 0;
    int count = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *new = malloc(sizeof *new);
        new->data = 1;
        new->next = list;
        list = new;
        count++;
        if (count == 1) {
            third = new;
        }
    }
    if (count > 2) {
        free(third);
    }
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
