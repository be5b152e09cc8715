//! verdict: true
//! decided-by: auto
//! arguments: --missing-bodies havoc
// What is not given, or given as a pointer to const, stays.
#include <assert.h>
extern int transmit(const int *from, int *status);
static int own = 3;

int main(void) {
    int data = 4, status = 0;
    transmit(&data, &status);
    assert(data == 4 && own == 3);
    return 0;
}
