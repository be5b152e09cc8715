//! verdict: unknown(__CPROVER_is_fresh in a contract)
//! decided-by: auto
//! arguments: --entry first
int first(int *p)
    __CPROVER_requires(__CPROVER_is_fresh(p, sizeof *p))
    __CPROVER_ensures(__CPROVER_return_value == *p)
{
    return *p;
}
