// Records sorted by the library's qsort and by an insertion sort, then found by bisection.
// BUG 1: no-overflow: records are compared by the difference of their keys
// BUG 2: array-bounds: the insertion looks in front of the first record
// BUG 3: unreach-call: the bisection leaves out the last record
#include <assert.h>
#include <stdlib.h>

#ifndef BUG
#define BUG 0
#endif

extern int __VERIFIER_nondet_int(void);

#define COUNT 6

struct record {
    int key;
    int number;
};

static struct record records[COUNT];

static int compare(const void *a, const void *b) {
    const struct record *x = a, *y = b;
#if BUG == 1
    return x->key - y->key;
#else
    return (x->key > y->key) - (x->key < y->key);
#endif
}

static void insertion_sort(struct record *r, int count) {
    for (int i = 1; i < count; i++) {
        struct record moving = r[i];
        int j = i - 1;
#if BUG == 2
        while (r[j].key > moving.key) {
#else
        while (j >= 0 && r[j].key > moving.key) {
#endif
            r[j + 1] = r[j];
            j--;
        }
        r[j + 1] = moving;
    }
}

static int bisect(const struct record *r, int count, int key) {
    int low = 0, high = count - 1;
#if BUG == 3
    while (low < high) {
#else
    while (low <= high) {
#endif
        int middle = low + (high - low) / 2;
        if (r[middle].key == key)
            return middle;
        if (r[middle].key < key)
            low = middle + 1;
        else
            high = middle - 1;
    }
    return -1;
}

int main(void) {
    for (int i = 0; i < COUNT; i++) {
        records[i].key = __VERIFIER_nondet_int();
        records[i].number = i;
    }
    qsort(records, COUNT, sizeof records[0], compare);
    insertion_sort(records, COUNT);
    int last = records[COUNT - 1].key;
    int found = bisect(records, COUNT, last);
    assert(found >= 0 && found < COUNT);
    assert(records[found].key == last);
    return 0;
}
