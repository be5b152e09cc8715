//! verdict: false(valid-deref)
//! property: valid-deref
// The variable of the last round is not that of this one.
int main(void) {
    int *last = 0, sum = 0;
    for (int i = 0; i < 2; i++) {
        int v = i;
        if (last)
            sum += *last;
        last = &v;
    }
    return sum;
}
