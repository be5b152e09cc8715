/* Characters in the C locale; the tables are those that glibc's macros look into, with its bits. */

/* From the lowest bit: blank, control, punctuation, letter or digit; from bit 8: upper case, lower case, letter, digit,
   hexadecimal digit, space, printable, visible. Indices from -128 to 255 count from the 128th element. */
static const unsigned short classes[384] = {
    [128] = 0x0002, 0x0002, 0x0002, 0x0002, 0x0002, 0x0002, 0x0002, 0x0002, 0x0002, 0x2003, 0x2002, 0x2002, 0x2002, 0x2002,
    0x0002, 0x0002, 0x0002, 0x0002, 0x0002, 0x0002, 0x0002, 0x0002, 0x0002, 0x0002, 0x0002, 0x0002, 0x0002, 0x0002,
    0x0002, 0x0002, 0x0002, 0x0002, 0x6001, 0xc004, 0xc004, 0xc004, 0xc004, 0xc004, 0xc004, 0xc004, 0xc004, 0xc004,
    0xc004, 0xc004, 0xc004, 0xc004, 0xc004, 0xc004, 0xd808, 0xd808, 0xd808, 0xd808, 0xd808, 0xd808, 0xd808, 0xd808,
    0xd808, 0xd808, 0xc004, 0xc004, 0xc004, 0xc004, 0xc004, 0xc004, 0xc004, 0xd508, 0xd508, 0xd508, 0xd508, 0xd508,
    0xd508, 0xc508, 0xc508, 0xc508, 0xc508, 0xc508, 0xc508, 0xc508, 0xc508, 0xc508, 0xc508, 0xc508, 0xc508, 0xc508,
    0xc508, 0xc508, 0xc508, 0xc508, 0xc508, 0xc508, 0xc508, 0xc004, 0xc004, 0xc004, 0xc004, 0xc004, 0xc004, 0xd608,
    0xd608, 0xd608, 0xd608, 0xd608, 0xd608, 0xc608, 0xc608, 0xc608, 0xc608, 0xc608, 0xc608, 0xc608, 0xc608, 0xc608,
    0xc608, 0xc608, 0xc608, 0xc608, 0xc608, 0xc608, 0xc608, 0xc608, 0xc608, 0xc608, 0xc608, 0xc004, 0xc004, 0xc004,
    0xc004, 0x0002,
};

int __fathom_truth(int);

static const unsigned short *const classes_start = classes + 128;

const unsigned short **__ctype_b_loc(void)
{
    return (const unsigned short **)&classes_start;
}

int isalpha(int c)
{
    return __fathom_truth((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'));
}

int isdigit(int c)
{
    return __fathom_truth(c >= '0' && c <= '9');
}

int isalnum(int c)
{
    return __fathom_truth(isalpha(c) || isdigit(c));
}

int isupper(int c)
{
    return __fathom_truth(c >= 'A' && c <= 'Z');
}

int islower(int c)
{
    return __fathom_truth(c >= 'a' && c <= 'z');
}

int isspace(int c)
{
    return __fathom_truth(c == ' ' || (c >= '\t' && c <= '\r'));
}

int isblank(int c)
{
    return __fathom_truth(c == ' ' || c == '\t');
}

int isxdigit(int c)
{
    return __fathom_truth(isdigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'));
}

int iscntrl(int c)
{
    return __fathom_truth((c >= 0 && c < 32) || c == 127);
}

int isprint(int c)
{
    return __fathom_truth(c >= 32 && c < 127);
}

int isgraph(int c)
{
    return __fathom_truth(c > 32 && c < 127);
}

int ispunct(int c)
{
    return __fathom_truth(isgraph(c) && !isalnum(c));
}

int isascii(int c)
{
    return __fathom_truth(c >= 0 && c < 128);
}

int toupper(int c)
{
    return islower(c) ? c - 'a' + 'A' : c;
}

int tolower(int c)
{
    return isupper(c) ? c - 'A' + 'a' : c;
}

int toascii(int c)
{
    return c & 127;
}
