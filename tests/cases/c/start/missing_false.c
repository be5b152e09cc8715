//! property: valid-deref
//! verdict: false(valid-deref)
//! decided-by: auto
#include <stdlib.h>

int main(int argc, char **argv) {
    return atoi(argv[1]);
}
