//! property: uninitialised
//! verdict: false(uninitialised)
//! decided-by: auto
#include <string.h>
struct entry { int key; long value; };
static void put(struct entry *entry, int key) { entry->key = key; }
int main(void) {
    struct entry entry, copy;
    put(&entry, 3);
    memcpy(&copy, &entry, sizeof copy);
    return copy.value != 0;
}
