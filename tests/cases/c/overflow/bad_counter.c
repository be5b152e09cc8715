//! property: no-overflow
//! verdict: false(no-overflow)
//! decided-by: auto
//! model: lp64
int main(void) {
    int n = 2147483640;
    for (int i = 0; i < 10; i++)
        n++;
    return n;
}
