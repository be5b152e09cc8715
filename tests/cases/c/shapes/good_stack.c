//! property: valid-memsafety
//! verdict: true
//! decided-by: shapes, auto
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

// A list that grows at its head is traversed and freed; nothing is lost, even if it grows for ever.
struct node {
    int data;
    struct node *next;
};

int main(void) {
    struct node *list = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *new = malloc(sizeof *new);
        new->data = __VERIFIER_nondet_int();
        new->next = list;
        list = new;
    }
    int sum = 0;
    for (struct node *at = list; at; at = at->next) {
        sum ^= at->data;
    }
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return sum;
}
