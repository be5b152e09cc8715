// Sorted names in a linked list: insert, remove, print, free. Commands come from standard input.
// BUG 1: valid-memtrack: a removed node is not freed
// BUG 2: valid-deref: the next node is read from one that was freed
// BUG 3: valid-free: the text of a node is freed twice
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef BUG
#define BUG 0
#endif

struct node {
    char *name;
    struct node *next;
};

static char *copy_of(const char *text) {
    size_t size = strlen(text) + 1;
    char *copy = malloc(size);
    if (copy)
        memcpy(copy, text, size);
    return copy;
}

static int insert(struct node **list, const char *name) {
    struct node *node = malloc(sizeof *node);
    if (!node)
        return -1;
    node->name = copy_of(name);
    if (!node->name) {
        free(node);
        return -1;
    }
    while (*list && strcmp((*list)->name, name) < 0)
        list = &(*list)->next;
    node->next = *list;
    *list = node;
    return 0;
}

static int remove_name(struct node **list, const char *name) {
    for (; *list; list = &(*list)->next) {
        struct node *node = *list;
        if (strcmp(node->name, name) == 0) {
            *list = node->next;
            free(node->name);
#if BUG == 3
            free(node->name);
#endif
#if BUG != 1
            free(node);
#endif
            return 0;
        }
    }
    return -1;
}

static void print_all(const struct node *list) {
    for (; list; list = list->next)
        printf("%s\n", list->name);
}

static void free_all(struct node *list) {
    while (list) {
#if BUG == 2
        free(list->name);
        free(list);
        list = list->next;
#else
        struct node *next = list->next;
        free(list->name);
        free(list);
        list = next;
#endif
    }
}

int main(void) {
    struct node *names = NULL;
    char line[16];

    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = '\0';
        if (line[0] == '+')
            insert(&names, line + 1);
        else if (line[0] == '-')
            remove_name(&names, line + 1);
        else
            print_all(names);
    }
    free_all(names);
    return 0;
}
