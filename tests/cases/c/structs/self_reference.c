//! run: 0 1 4 9 16
// A list of structs that point to each other.
#include <stdio.h>

struct node {
    int value;
    struct node *next;
};

int main(void) {
    struct node nodes[5], *head = 0;
    for (int i = 0; i < 5; i++) {
        nodes[i].value = i * i;
        nodes[i].next = head;
        head = &nodes[i];
    }
    struct node *reversed = 0;
    while (head) {
        struct node *next = head->next;
        head->next = reversed;
        reversed = head;
        head = next;
    }
    for (struct node *n = reversed; n; n = n->next)
        printf("%d ", n->value);
    printf("\n");
    return 0;
}
