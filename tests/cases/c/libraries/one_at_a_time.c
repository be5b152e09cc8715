//! verdict: true
//! property: no-data-race
//! decided-by: auto
//! arguments: --entry next
//! assuming: next: it is called when all variables
//! assuming: no other thread calls functions of the library at the same time
// Two threads that call the function at the same time would race.
static int last;
int next(void) { return ++last; }
