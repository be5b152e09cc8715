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

static const unsigned short *const classes_start = classes + 128;

const unsigned short **__ctype_b_loc(void)
{
    return (const unsigned short **)&classes_start;
}

int isalpha(int c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

int isdigit(int c)
{
    return c >= '0' && c <= '9';
}

int isalnum(int c)
{
    return isalpha(c) || isdigit(c);
}

int isupper(int c)
{
    return c >= 'A' && c <= 'Z';
}

int islower(int c)
{
    return c >= 'a' && c <= 'z';
}

int isspace(int c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

int isblank(int c)
{
    return c == ' ' || c == '\t';
}

int isxdigit(int c)
{
    return isdigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

int iscntrl(int c)
{
    return (c >= 0 && c < 32) || c == 127;
}

int isprint(int c)
{
    return c >= 32 && c < 127;
}

int isgraph(int c)
{
    return c > 32 && c < 127;
}

int ispunct(int c)
{
    return isgraph(c) && !isalnum(c);
}

int isascii(int c)
{
    return c >= 0 && c < 128;
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
