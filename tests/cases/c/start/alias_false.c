//! property: unreach-call
//! verdict: false(unreach-call)
//! decided-by: auto
#include <assert.h>

int main(int argc, char **argv) {
    if (argc > 2)
        assert(argv[1] == argv[2]);
    return 0;
}
