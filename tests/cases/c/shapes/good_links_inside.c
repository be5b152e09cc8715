//! property: unreach-call
//! verdict: true
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

// Links point to members inside nodes, as in the lists of Linux's kernel.
struct link {
    struct link *next;
};

struct node {
    int data;
    struct link link;
};

int main(void) {
    struct link *list = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *new = calloc(1, sizeof *new);
        new->link.next = list;
        list = &new->link;
    }
    for (struct link *at = list; at; at = at->next) {
        struct node *node = (struct node *)((char *)at - (unsigned long)&((struct node *)0)->link);
        if (node->data != 0) {
            reach_error();
        }
    }
    return 0;
}
