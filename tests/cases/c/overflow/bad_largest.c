//! property: no-overflow
//! verdict: false(no-overflow)
//! decided-by: auto
//! model: lp64
int main(void) {
    int x = 2147483647;
    return x + 1;
}
