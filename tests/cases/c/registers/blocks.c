//! property: unreach-call
//! property: valid-deref
//! property: null-deref
//! property: array-bounds
//! verdict: true
//! decided-by: auto
// Registers are read and written as whole structs and by memcpy and memset.
#include <assert.h>
#include <string.h>
struct block {
    unsigned control, status, data[2];
};
#define DEVICE ((volatile struct block *)0x40000000)
struct block seen, other;
int main(void) {
    seen = *DEVICE;
    assert(seen.control == seen.control);
    memcpy(&other, (void *)DEVICE, sizeof other);
    memset((void *)DEVICE, 0, sizeof seen);
    *DEVICE = seen;
    memcpy((void *)&DEVICE->data, seen.data, sizeof seen.data);
    return 0;
}
