//! property: no-data-race
//! verdict: true
//! decided-by: auto
//! arguments: --entry add
//! assuming: it runs alone
int total;
void add(int amount) { total += amount; }
