// A list may have 50 nodes.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct node {
    int data;
    struct node *next;
};

int main(void) {
    struct node *list = 0;
    int length = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *new = malloc(sizeof *new);
        new->next = list;
        list = new;
        length++;
        if (length == 50) {
            reach_error();
        }
    }
    return 0;
}
