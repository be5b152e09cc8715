//! property: valid-memsafety
//! verdict: true
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

// A doubly linked list grows at its end, and is freed from its end.
struct node {
    struct node *next, *before;
    int data;
};

int main(void) {
    struct node *last = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *new = malloc(sizeof *new);
        new->data = 1;
        new->next = 0;
        new->before = last;
        if (last) {
            last->next = new;
        }
        last = new;
    }
    for (struct node *at = last; at; at = at->before) {
        if (at->next && at->next->before != at) {
            return *(int *)0;
        }
    }
    while (last) {
        struct node *before = last->before;
        free(last);
        last = before;
    }
    return 0;
}
