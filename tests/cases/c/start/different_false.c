//! property: unreach-call
//! verdict: false(unreach-call)
//! decided-by: auto
#include <assert.h>

int main(int argc, char **argv) {
    if (argc > 5)
        assert(argv[4][0] == argv[5][0]);
    return 0;
}
