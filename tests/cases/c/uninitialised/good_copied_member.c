//! property: uninitialised
//! verdict: true
//! decided-by: auto
#include <string.h>
struct entry { int key; long value; };
static void put(struct entry *entry, int key) { entry->key = key; }
int main(void) {
    struct entry entry, copy, table[2];
    put(&entry, 3);
    memcpy(&copy, &entry, sizeof copy);
    table[1] = copy;
    struct entry *found = &table[1];
    return found->key != 3;
}
