//! property: unreach-call
//! verdict: unknown(unsupported: a call of swprintf)
// The format has wider characters than the text: who reads it, and how, is not known.
void reach_error(void);
int swprintf(unsigned short *, const unsigned short *, ...);

int main(void)
{
    unsigned short text[8];
    if (swprintf(text, (const unsigned short *)L"ab") != 1)
        reach_error();
    return 0;
}
