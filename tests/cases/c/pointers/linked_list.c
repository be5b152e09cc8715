//! run: 2 3 5
// A list on the heap, changed through pointers to its links.
#include <stdio.h>
#include <stdlib.h>

struct node { int value; struct node *next; };

static void insert(struct node **at, int value) {
    while (*at && (*at)->value < value)
        at = &(*at)->next;
    struct node *n = malloc(sizeof *n);
    n->value = value;
    n->next = *at;
    *at = n;
}

static void erase(struct node **at, int value) {
    for (; *at; at = &(*at)->next)
        if ((*at)->value == value) {
            struct node *dead = *at;
            *at = dead->next;
            free(dead);
            return;
        }
}

int main(void) {
    struct node *list = 0;
    int values[] = {5, 1, 4, 2, 3};
    for (int i = 0; i < 5; i++)
        insert(&list, values[i]);
    erase(&list, 1);
    erase(&list, 4);
    erase(&list, 99);
    for (struct node *n = list; n; n = n->next)
        printf("%d ", n->value);
    printf("\n");
    while (list)
        erase(&list, list->value);
    return 0;
}
