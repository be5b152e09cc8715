//! verdict: false(unreach-call)
//! decided-by: auto
//! arguments: --entry add
// CBMC's names mean the same.
int total;
int add(int n)
    __CPROVER_requires(n >= 0 && n < 100 && total >= 0 && total < 1000)
    __CPROVER_assigns(total)
    __CPROVER_ensures(total == __CPROVER_old(total) + n)
    __CPROVER_ensures(__CPROVER_return_value > total)
    __CPROVER_frees()
{
    total += n;
    return total;
}
