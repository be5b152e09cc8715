//! property: no-overflow
//! verdict: true
//! decided-by: auto
//! model: lp64
int main(void) {
    int x = 1;
    return x + 1;
}
