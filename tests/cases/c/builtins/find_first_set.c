//! verdict: true
#include <assert.h>
#include <strings.h>
#include <time.h>

int ffsl(long);
int ffsll(long long);

int main(void)
{
    assert(ffs(0) == 0 && ffs(1) == 1 && ffs(12) == 3 && ffs((int)0x80000000u) == 32);
    assert(ffsl(-1L) == 1 && ffsll(1LL << 60) == 61);
    assert(difftime(9, 4) == 5.0);
    return 0;
}
