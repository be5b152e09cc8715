//! property: unreach-call
//! verdict: false(unreach-call)
//! decided-by: auto
#include <assert.h>

int main(int argc, char **argv) {
    if (argc > 0)
        assert(argv[0][0] == 0);
    return 0;
}
