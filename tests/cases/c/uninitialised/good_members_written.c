//! property: uninitialised
//! verdict: true
//! decided-by: auto
#include <unistd.h>
struct frame { unsigned short kind, flags; unsigned int length; };
static void fill(struct frame *frame) { frame->kind = 1; frame->length = 4; frame->flags = 0; }
int main(void) {
    struct frame frame;
    fill(&frame);
    return write(1, &frame, sizeof frame) < 0;
}
