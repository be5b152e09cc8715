// A list of two nodes or more has an end.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct node {
    int data;
    struct node *next;
};

int main(void) {
    struct node *list = malloc(sizeof *list);
    list->next = malloc(sizeof *list);
    list->next->next = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *new = malloc(sizeof *new);
        new->next = list;
        list = new;
    }
    struct node *at = list;
    while (__VERIFIER_nondet_int()) {
        at = at->next;
        if (!at) {
            reach_error();
        }
    }
    return 0;
}
