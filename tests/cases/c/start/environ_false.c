//! property: unreach-call
//! verdict: false(unreach-call)
//! decided-by: auto
#include <assert.h>

extern char **environ;

int main(int argc, char **argv, char **envp) {
    assert(*environ == 0);
    return 0;
}
