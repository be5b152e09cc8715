//! verdict: true
//! property: no-overflow
//! decided-by: auto
//! arguments: --entry next
// What is required is assumed for all properties.
int next(int n) __fathom_requires(n < 1000) { return n + 1; }
