//! verdict: false(unreach-call)
//! decided-by: auto
// Functions of the library have models, but may be asked for more.
int abs(int n) __fathom_requires(n > -100);
int main(void) { return abs(-5) + abs(-500) > 1; }
