//! verdict: false(unreach-call)
//! decided-by: auto
int random_below(int n)
    __fathom_requires(n > 0)
    __fathom_ensures(0 <= __fathom_result && __fathom_result < n);
int main(void) { return random_below(0); }
