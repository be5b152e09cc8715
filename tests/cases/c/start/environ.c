//! property: unreach-call
//! verdict: true
//! decided-by: auto
#include <assert.h>

extern char **environ;

int main(int argc, char **argv, char **envp) {
    assert(envp == environ);
    return 0;
}
