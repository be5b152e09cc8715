// A search tree in an array: nodes are taken from a fixed store, and children are indices.
// BUG 1: array-bounds: a new node is taken although the store is empty
// BUG 2: unreach-call: a number that is in the tree is put in once more
// BUG 3: array-bounds: a missing child is looked up
#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#ifndef BUG
#define BUG 0
#endif

#define NODES 32
#define NONE (-1)

extern int __VERIFIER_nondet_int(void);

struct node {
    int key;
    int8_t left, right;
};

static struct node nodes[NODES];
static int used;
static int8_t root = NONE;

static int8_t new_node(int key) {
#if BUG == 1
    if (used > NODES)
#else
    if (used >= NODES)
#endif
        return NONE;
    nodes[used].key = key;
    nodes[used].left = NONE;
    nodes[used].right = NONE;
    return (int8_t)used++;
}

static bool insert(int key) {
    int8_t *link = &root;
    while (*link != NONE) {
        struct node *n = &nodes[*link];
        if (key == n->key)
#if BUG == 2
            break;
#else
            return false;
#endif
        link = key < n->key ? &n->left : &n->right;
    }
    int8_t fresh = new_node(key);
    if (fresh == NONE)
        return false;
#if BUG == 2
    assert(*link == NONE);
#endif
    *link = fresh;
    return true;
}

static bool contains(int key) {
    int8_t at = root;
#if BUG == 3
    while (nodes[at].key != key) {
#else
    while (at != NONE && nodes[at].key != key) {
#endif
        at = key < nodes[at].key ? nodes[at].left : nodes[at].right;
    }
    return at != NONE;
}

int main(void) {
    unsigned found = 0;
    for (;;) {
        int key = __VERIFIER_nondet_int();
        if (key < 0) {
            if (contains(-(key + 1)) && found < 1000u)
                found++;
        } else {
            insert(key);
        }
        assert(used >= 0 && used <= NODES);
    }
}
