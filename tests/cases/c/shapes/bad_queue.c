//! property: unreach-call
//! verdict: false(unreach-call)
//! decided-by: auto
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

// Numbers of three classes: the first of the last class is followed by one of the second.
struct node {
    int data;
    struct node *next;
};

int main(void) {
    struct node *head = malloc(sizeof *head), *tail = head;
    head->data = 0;
    head->next = 0;
    int class = 0;
    while (__VERIFIER_nondet_int()) {
        if (class < 2 && __VERIFIER_nondet_int()) {
            class++;
        }
        struct node *new = malloc(sizeof *new);
        new->data = class;
        new->next = 0;
        tail->next = new;
        tail = new;
        if (class == 2) {
            class = 1;
        }
    }
    struct node *at = head;
    while (at && at->data == 0) {
        at = at->next;
    }
    while (at && at->data == 1) {
        at = at->next;
    }
    while (at && at->data == 2) {
        at = at->next;
    }
    if (at) {
        reach_error();
    }
    return 0;
}
