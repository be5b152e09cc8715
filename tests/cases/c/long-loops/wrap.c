//! property: no-overflow
//! verdict: false(no-overflow)
//! decided-by: auto
//! model: ilp32
// A counter that is never reset overflows in the end.
int main(void)
{
    int ticks = 0;
    short parity = 0;
    for (;;) {
        ticks++;
        parity = (short)(ticks % 2);
    }
    return parity;
}
