//! verdict: false(null-deref)
//! property: null-deref
//! decided-by: auto
//! model: lp64
#include <pwd.h>

int main(void) {
    return getpwnam("somebody")->pw_uid == 0;
}
