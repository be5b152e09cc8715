//! property: unreach-call
//! verdict: true
//! decided-by: auto
#include <assert.h>

int main(int argc, char **argv) {
    assert(argc >= 0);
    assert(argv[argc] == 0);
    return 0;
}
