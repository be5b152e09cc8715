//! property: uninitialised
//! verdict: false(uninitialised)
//! decided-by: auto
//! model: lp64
#include <sys/stat.h>

int main(void) {
    struct stat s;
    stat("file", &s);
    return s.st_mode == 0;
}
