//! property: unreach-call
//! verdict: true
//! decided-by: shapes, auto
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

// Numbers of three classes, each after those of the one before: 0* 1* 2*.
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
