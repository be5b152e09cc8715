//! verdict: false(unreach-call)
//! decided-by: auto
int counter;
int next(void)
    __fathom_ensures(__fathom_result == __fathom_old(counter))
    __fathom_ensures(counter == __fathom_old(counter) + 1)
{
    return ++counter;
}
int main(void) { return next(); }
