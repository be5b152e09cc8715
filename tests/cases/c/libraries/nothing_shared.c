//! verdict: true
//! property: no-data-race
//! decided-by: auto
//! arguments: --entry twice
//! assuming: nothing
int twice(int n) { return n > 1000 || n < -1000 ? 0 : 2 * n; }
