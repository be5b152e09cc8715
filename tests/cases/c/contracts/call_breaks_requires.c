//! verdict: false(unreach-call)
//! decided-by: auto
// Preconditions are checked at calls of functions with bodies.
int half(int n) __fathom_requires(n >= 0 && n % 2 == 0);
int half(int m) { return m / 2; }
int main(void) { return half(4) + half(7); }
