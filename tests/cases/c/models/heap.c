//! verdict: true
//! decided-by: predicate
//! arguments: --pointers-as addresses --heap-bound 3
// Three nodes are all that there are, so the bound is never left.
#include <stdlib.h>
void reach_error(void) {}

struct node {
    int value;
    struct node *next;
};

int main(void) {
    struct node *list = 0;
    for (int i = 0; i < 3; i++) {
        struct node *node = malloc(sizeof *node);
        node->value = i;
        node->next = list;
        list = node;
    }
    if (list->value != 2 || list->next->value != 1 || list->next->next->value != 0)
        reach_error();
    return 0;
}
