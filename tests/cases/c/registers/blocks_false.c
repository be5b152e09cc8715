//! property: unreach-call
//! verdict: false(unreach-call)
//! decided-by: auto
//! model: lp64
// What was written is not what is read.
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
    struct block again = *DEVICE;
    assert(again.control == 0 || again.control == 0 + seen.control);
}
