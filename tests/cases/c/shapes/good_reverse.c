//! property: valid-memsafety
//! verdict: true
//! decided-by: shapes, auto
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

// A list is reversed in place.
struct node {
    struct node *next;
    char data;
};

int main(void) {
    struct node *list = 0, *reversed = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *new = malloc(sizeof *new);
        new->next = list;
        list = new;
    }
    while (list) {
        struct node *next = list->next;
        list->next = reversed;
        reversed = list;
        list = next;
    }
    while (reversed) {
        struct node *next = reversed->next;
        free(reversed);
        reversed = next;
    }
    return 0;
}
