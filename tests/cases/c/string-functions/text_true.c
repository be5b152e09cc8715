//! property: unreach-call
//! verdict: true
//! decided-by: predicate
//! arguments: --missing-bodies pure
// What sprintf writes is not known, but how much of it there can be is.
void reach_error(void);
int sprintf(char *, const char *, ...);
int nondet(void);

int main(void)
{
    char text[16];
    text[13] = 'z';
    int length = sprintf(text, "n=%d", nondet());
    if (length < 3 || length > 13 || text[0] != 'n' || text[1] != '=')
        reach_error();
    return 0;
}
