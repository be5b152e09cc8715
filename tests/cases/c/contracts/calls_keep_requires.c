//! verdict: true
//! decided-by: auto
//! assuming: nothing
int half(int n) __fathom_requires(n >= 0 && n % 2 == 0) __fathom_ensures(2 * __fathom_result == n);
int half(int m) { return m / 2; }
int main(void) { return half(4) + half(6) - 5; }
