//! property: no-overflow
//! verdict: false(no-overflow)
//! decided-by: auto
int main(void) {
    int x = 1;
    for (int i = 0; i < 40; i++)
        x = x * 2;
    return x;
}
