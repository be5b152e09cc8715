//! property: no-data-race
//! verdict: true
//! decided-by: auto
//! arguments: --entry add
//! assuming: add: it is called when all variables of the program and of the library
//! assuming: add: no other thread calls functions of the library at the same time
int total;
void add(int amount) { total += amount; }
