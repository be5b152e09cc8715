//! property: no-data-race
//! verdict: true
//! decided-by: auto
//! arguments: --entry add
//! assuming: no other thread calls functions of the library at the same time
int total;
void add(int amount) { total += amount; }
