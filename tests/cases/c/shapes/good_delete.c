//! property: valid-memsafety
//! verdict: true
//! decided-by: shapes, auto
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

// Nodes are inserted and deleted somewhere in a list, through a pointer to the pointer to them.
struct node {
    int data;
    struct node *next;
};

static struct node *list;

static void insert(int data) {
    struct node *new = malloc(sizeof *new);
    new->data = data;
    struct node *before = list;
    if (!before) {
        new->next = 0;
        list = new;
        return;
    }
    while (before->next && before->next->data < data) {
        before = before->next;
    }
    new->next = before->next;
    before->next = new;
}

static void delete(int data) {
    struct node *before = 0, *at = list;
    while (at && at->data != data) {
        before = at;
        at = at->next;
    }
    if (!at) {
        return;
    }
    if (before) {
        before->next = at->next;
    } else {
        list = at->next;
    }
    free(at);
}

int main(void) {
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int()) {
            insert(__VERIFIER_nondet_int());
        } else {
            delete(__VERIFIER_nondet_int());
        }
    }
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
