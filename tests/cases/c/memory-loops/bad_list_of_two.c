//! property: valid-memsafety
//! verdict: false(valid-memtrack)
//! decided-by: auto
#include <stdlib.h>

struct node {
    struct node *next;
};

int main(void) {
    struct node *list = 0;
    for (int i = 0; i < 2 && list == 0; i++) {
        struct node *n = malloc(sizeof *n);
        if (!n) {
            abort();
        }
        n->next = list;
        list = n;
    }
    while (list) {
        struct node *next = list->next;
        
        list = next;
    }
    return 0;
}
