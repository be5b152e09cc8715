//! verdict: unknown(memory of which nothing is known)
//! property: valid-memsafety
//! decided-by: auto
//! arguments: --entry f
// Of a function that is given, nothing is known.
int f(int (*visit)(int), int n) {
    return visit ? visit(n) : 0;
}
