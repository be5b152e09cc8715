//! verdict: false(unreach-call)
//! decided-by: auto
//! arguments: --entry f
void __CPROVER_assume(int condition);
void __CPROVER_assert(int condition, const char *text);
void f(int n) {
    __CPROVER_assume(n > 3);
    __CPROVER_assert(n > 3, "what was assumed");
    __CPROVER_assert(n > 4, "more");
}
