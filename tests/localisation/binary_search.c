// Property: unreach-call
// Binary search: what is in the table is found.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

#define SIZE 7

static const int table[SIZE] = { 2, 3, 5, 7, 11, 13, 17 };

static int find(int key)
{
    int low = 0;
    int high = SIZE - 1;
    while (low < high) { // FAULT: low <= high
        int middle = low + (high - low) / 2;
        if (table[middle] == key)
            return middle;
        if (table[middle] < key)
            low = middle + 1;
        else
            high = middle - 1;
    }
    return -1;
}

int main(void)
{
    int index = __VERIFIER_nondet_int();
    if (index < 0 || index >= SIZE)
        return 0;
    int key = table[index];
    int found = find(key);
    assert(found == index);
    return 0;
}
