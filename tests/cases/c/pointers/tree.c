//! run: 1 2 4 5 7 8 10 12 14 20
//! run: 5
// A binary tree on the heap.
#include <stdio.h>
#include <stdlib.h>

typedef struct tree { int key; struct tree *left, *right; } Tree;

static Tree *insert(Tree *t, int key) {
    if (!t) {
        t = calloc(1, sizeof *t);
        t->key = key;
    } else if (key < t->key)
        t->left = insert(t->left, key);
    else if (key > t->key)
        t->right = insert(t->right, key);
    return t;
}

static int walk(Tree *t, int depth) {
    if (!t)
        return depth;
    int l = walk(t->left, depth + 1);
    printf("%d ", t->key);
    int r = walk(t->right, depth + 1);
    free(t);
    return l > r ? l : r;
}

int main(void) {
    Tree *t = 0;
    for (int i = 0, k = 7; i < 10; i++, k = k * 5 % 23)
        t = insert(t, k);
    printf("\n%d\n", walk(t, 0));
    return 0;
}
