//! verdict: unknown(unsupported: a check for overflow of numbers that are too wide, tests/cases/c/refusals/wide_overflow.c:7)
//! property: no-overflow
//! model: lp64
int main(void) {
    __int128 x = 1;
    for (int i = 0; i < 40; i++)
        x = x * 10;
    return x == 0;
}
