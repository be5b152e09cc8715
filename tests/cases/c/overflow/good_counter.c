//! property: no-overflow
//! verdict: true
//! decided-by: auto
//! model: lp64
int main(void) {
    int n = 0;
    for (int i = 0; i < 10; i++)
        n++;
    return n - 10;
}
