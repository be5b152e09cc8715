//! property: uninitialised
//! verdict: false(uninitialised)
//! decided-by: auto
#include <unistd.h>
struct frame { unsigned char kind; unsigned int length; };
static void fill(struct frame *frame) { frame->kind = 1; frame->length = 4; }
int main(void) {
    struct frame frame;
    fill(&frame);
    return write(1, &frame, sizeof frame) < 0;
}
