/* What calls of the system read. */

void __fathom_text(const char *s)
{
    for (unsigned long i = 0; s[i] != 0; i++)
        ;
}
