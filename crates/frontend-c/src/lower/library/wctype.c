/* Classes of wide characters in the C locale: those of ASCII. */

int __fathom_truth(int);

int iswalpha(unsigned c)
{
    return __fathom_truth((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'));
}

int iswdigit(unsigned c)
{
    return __fathom_truth(c >= '0' && c <= '9');
}

int iswupper(unsigned c)
{
    return __fathom_truth(c >= 'A' && c <= 'Z');
}

int iswlower(unsigned c)
{
    return __fathom_truth(c >= 'a' && c <= 'z');
}

int iswspace(unsigned c)
{
    return __fathom_truth(c == ' ' || (c >= '\t' && c <= '\r'));
}

int iswblank(unsigned c)
{
    return __fathom_truth(c == ' ' || c == '\t');
}

int iswcntrl(unsigned c)
{
    return __fathom_truth(c < 32 || c == 127);
}

int iswprint(unsigned c)
{
    return __fathom_truth(c >= 32 && c < 127);
}

int iswgraph(unsigned c)
{
    return __fathom_truth(c > 32 && c < 127);
}

int iswalnum(unsigned c)
{
    return __fathom_truth((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'));
}

int iswxdigit(unsigned c)
{
    return __fathom_truth((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'));
}

int iswpunct(unsigned c)
{
    return __fathom_truth((c > 32 && c < '0') || (c > '9' && c < 'A') || (c > 'Z' && c < 'a') || (c > 'z' && c < 127));
}

unsigned towupper(unsigned c)
{
    return c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c;
}

unsigned towlower(unsigned c)
{
    return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}
