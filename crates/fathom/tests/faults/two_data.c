// Nodes have 1 or 2.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct node {
    int data;
    struct node *next;
};

int main(void) {
    struct node *list = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *new = malloc(sizeof *new);
        new->data = __VERIFIER_nondet_int() ? 1 : 2;
        new->next = list;
        list = new;
    }
    if (list) {
        int first = list->data;
        for (struct node *at = list; at; at = at->next) {
            if (first == 1 && at->data == 2) {
                reach_error();
            }
        }
    }
    return 0;
}
