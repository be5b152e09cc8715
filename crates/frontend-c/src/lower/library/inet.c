/* The order of bytes in networks: the highest first. And addresses as texts. */

void __fathom_set_errno(int);
void __fathom_unsupported_texts_of_addresses_of_ipv6(void);

unsigned htonl(unsigned x)
{
    return x << 24 | (x & 0xff00) << 8 | (x >> 8 & 0xff00) | x >> 24;
}

unsigned ntohl(unsigned x)
{
    return htonl(x);
}

unsigned short htons(unsigned short x)
{
    return x << 8 | x >> 8;
}

unsigned short ntohs(unsigned short x)
{
    return htons(x);
}

/* Addresses as texts. A number is decimal, octal or hexadecimal; the last of fewer than four fills the bytes that are left. */

static unsigned char_digit(char c, unsigned base)
{
    unsigned digit = c >= '0' && c <= '9'   ? c - '0'
                     : c >= 'a' && c <= 'f' ? c - 'a' + 10
                     : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                            : 99;
    return digit < base ? digit : 99;
}

static int ends_address(char c)
{
    return c == 0 || c == ' ' || (c >= '\t' && c <= '\r');
}

int inet_aton(const char *text, unsigned *to)
{
    unsigned address = 0;
    for (int part = 0;; part++) {
        unsigned long long number = 0;
        unsigned base = 10;
        if (char_digit(*text, 10) == 99)
            return 0;
        if (*text == '0') {
            base = 8;
            if (text[1] == 'x' || text[1] == 'X') {
                base = 16;
                text += 2;
                /* glibc reads "0x" as 0, followed by what is no digit. */
                if (char_digit(*text, 16) == 99)
                    text--;
            }
        }
        while (char_digit(*text, base) != 99) {
            number = number * base + char_digit(*text, base);
            if (number > 0xffffffff)
                return 0;
            text++;
        }
        if (*text == '.' && part < 3) {
            if (number > 255)
                return 0;
            address |= (unsigned)number << (24 - 8 * part);
            text++;
        } else {
            if (!ends_address(*text) || number > 0xffffffffu >> 8 * part)
                return 0;
            if (to != 0)
                *to = htonl(address | (unsigned)number);
            return 1;
        }
    }
}

unsigned inet_addr(const char *text)
{
    unsigned address;
    return inet_aton(text, &address) ? address : (unsigned)-1;
}

/* Four decimal numbers without leading zeros; addresses of IPv6 are refused. */
int inet_pton(int family, const char *text, unsigned char *to)
{
    unsigned char bytes[4];
    if (family == 10)
        __fathom_unsupported_texts_of_addresses_of_ipv6();
    if (family != 2) {
        __fathom_set_errno(97);
        return -1;
    }
    for (int i = 0; i < 4; i++) {
        unsigned number = 0;
        int digits = 0;
        while (*text >= '0' && *text <= '9') {
            if (digits > 0 && number == 0)
                return 0;
            number = number * 10 + (*text - '0');
            if (number > 255)
                return 0;
            digits++;
            text++;
        }
        if (digits == 0 || *text != (i < 3 ? '.' : 0))
            return 0;
        bytes[i] = number;
        text++;
    }
    for (int i = 0; i < 4; i++)
        to[i] = bytes[i];
    return 1;
}

/* The length of the text; it has up to 15 characters and an end. */
static int write_address(char *to, const unsigned char *bytes)
{
    int length = 0;
    for (int i = 0; i < 4; i++) {
        if (bytes[i] >= 100)
            to[length++] = '0' + bytes[i] / 100;
        if (bytes[i] >= 10)
            to[length++] = '0' + bytes[i] / 10 % 10;
        to[length++] = '0' + bytes[i] % 10;
        if (i < 3)
            to[length++] = '.';
    }
    to[length] = 0;
    return length;
}

const char *inet_ntop(int family, const unsigned char *from, char *to, unsigned size)
{
    char text[16];
    if (family == 10)
        __fathom_unsupported_texts_of_addresses_of_ipv6();
    if (family != 2) {
        __fathom_set_errno(97);
        return 0;
    }
    unsigned length = write_address(text, from);
    if (length >= size) {
        __fathom_set_errno(28);
        return 0;
    }
    for (unsigned i = 0; i <= length; i++)
        to[i] = text[i];
    return to;
}

struct in_addr {
    unsigned address;
};

char *inet_ntoa(struct in_addr from)
{
    static _Thread_local char text[18];
    write_address(text, (const unsigned char *)&from.address);
    return text;
}
