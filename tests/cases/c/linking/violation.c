//! verdict: false(unreach-call)
//! decided-by: auto
//! with: violation.part.c
#include <assert.h>
extern int limit;
int allowed(int);
int main(void) {
    int first = allowed(1), second = allowed(1);
    assert(first + second <= limit + 1);
    return 0;
}
