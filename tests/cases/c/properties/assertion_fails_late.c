//! verdict: false(unreach-call)
//! decided-by: auto
#include <assert.h>

int main(void) {
    int sum = 0;
    for (int i = 1; i <= 20; i++)
        sum += i * i;
    assert(sum != 2870);
    return 0;
}
