//! property: unreach-call
//! verdict: false(unreach-call)
//! decided-by: auto
#include <assert.h>

int main(int argc, char **argv, char **envp) {
    assert(envp == 0);
    return 0;
}
