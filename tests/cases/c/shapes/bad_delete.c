//! property: valid-memsafety
//! verdict: false(valid-deref)
//! decided-by: auto
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

// A node is deleted and stays linked, where it is the first one.
struct node {
    int data;
    struct node *next;
};

static struct node *list;

static void insert(int data) {
    struct node *new = malloc(sizeof *new);
    new->data = data;
    new->next = list;
    list = new;
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
    }
    free(at);
}

int main(void) {
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int()) {
            insert(__VERIFIER_nondet_int() & 1);
        } else {
            delete(__VERIFIER_nondet_int() & 1);
        }
    }
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
