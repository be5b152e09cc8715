//! verdict: false(array-bounds)
//! property: array-bounds
//! decided-by: auto
// Where its precondition does not hold, the function promises nothing.
int random_below(int n)
    __fathom_requires(n > 0)
    __fathom_ensures(0 <= __fathom_result && __fathom_result < n);
int main(void) {
    int table[10] = { 0 };
    return table[random_below(0) & 15];
}
