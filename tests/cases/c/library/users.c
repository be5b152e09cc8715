//! verdict: true
//! decided-by: auto
//! model: lp64
#include <assert.h>
#include <pwd.h>

int main(void) {
    struct passwd *found = getpwuid(3);
    if (found != 0)
        assert(found->pw_uid == 3);
}
