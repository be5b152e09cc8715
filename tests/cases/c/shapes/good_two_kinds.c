//! property: unreach-call
//! verdict: true
//! decided-by: shapes, auto
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

// What a flag says of a node holds of each, in whatever order they come.
struct node {
    int flag, data;
    struct node *next;
};

int main(void) {
    struct node *list = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *new = malloc(sizeof *new);
        new->flag = __VERIFIER_nondet_int();
        if (new->flag) {
            new->data = 1;
        } else {
            new->data = 2;
        }
        new->next = list;
        list = new;
    }
    for (struct node *at = list; at; at = at->next) {
        if (at->data != (at->flag ? 1 : 2)) {
            reach_error();
        }
    }
    return 0;
}
