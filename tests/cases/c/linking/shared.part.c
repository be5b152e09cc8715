#include "shared.h"

#include <stdlib.h>
struct node {
    struct node *next;
};
static int hidden = 5;
static int helper(void) { return hidden++; }
int table[3] = {1, 2, 3};
int counter = 40;
struct pair pairs = {1, 2};
int next(void) { return helper() + counter; }
struct pair swapped(struct pair given) {
    struct pair result = {(int)given.second, given.first};
    return result;
}
int apply(int (*function)(int), int value) { return function == twice ? function(value) : -1; }
int weak_or_strong(void) { return 2; }
struct node *cons(struct node *rest) {
    struct node *made = malloc(sizeof *made);
    if (!made) abort();
    made->next = rest;
    return made;
}
int length(struct node *list) { return list ? 1 + length(list->next) : 0; }
extern inline int half(int value);
