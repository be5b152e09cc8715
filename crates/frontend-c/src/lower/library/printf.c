/* Formatted output: what each conversion of printf writes, as C11's 7.21.6.1 says.

   A text is written to an array of `room` characters. Each function takes the
   position that the text has come to and gives the next one. What has no room is counted and not written. */

typedef unsigned long size_t;
unsigned long __VERIFIER_nondet_ulong(void);
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);
void *malloc(size_t);
void __fathom_havoc(void *, size_t);
void __fathom_disjoint(const void *, size_t, const void *, size_t);
void __fathom_made_up(void);
void __fathom_unsupported_a_wide_character_that_is_not_ASCII(void);
void __fathom_unsupported_a_conversion_of_printf_that_is_not_known(void);

static void put(char *to, size_t room, size_t at, int c)
{
    if (room <= 1 || at >= room - 1)
        return;
    to[at] = c;
}

static size_t pad(char *to, size_t room, size_t at, size_t count, int c)
{
    if (room > 1)
        for (size_t i = 0; i < count; i++)
            put(to, room, at + i, c);
    return at + count;
}

/* The zero behind a text. */
void __fathom_put_end(char *to, size_t room, size_t at)
{
    if (room == 0)
        return;
    size_t end = at < room - 1 ? at : room - 1;
    to[end] = 0;
}

size_t __fathom_put_char(char *to, size_t room, size_t at, int c, int left, int width)
{
    size_t spaces = width > 1 ? (size_t)width - 1 : 0;
    if (!left)
        at = pad(to, room, at, spaces, ' ');
    put(to, room, at, c);
    at++;
    if (left)
        at = pad(to, room, at, spaces, ' ');
    return at;
}

size_t __fathom_put_text(char *to, size_t room, size_t at, const char *s, int left, int width, int precision)
{
    size_t n = 0;
    while ((precision < 0 || n < (size_t)precision) && s[n] != 0)
        n++;
    size_t spaces = width > 0 && (size_t)width > n ? (size_t)width - n : 0;
    if (!left)
        at = pad(to, room, at, spaces, ' ');
    if (room > 1 && at < room - 1) {
        __fathom_disjoint(to + at, n < room - 1 - at ? n : room - 1 - at, s, n);
        for (size_t i = 0; i < n; i++)
            put(to, room, at + i, s[i]);
    }
    at += n;
    if (left)
        at = pad(to, room, at, spaces, ' ');
    return at;
}

/* Wide characters as bytes. */
size_t __fathom_put_wide(char *to, size_t room, size_t at, const int *s, int left, int width, int precision)
{
    size_t n = 0;
    while ((precision < 0 || n < (size_t)precision) && s[n] != 0) {
        if (s[n] < 0 || s[n] > 127)
            __fathom_unsupported_a_wide_character_that_is_not_ASCII();
        n++;
    }
    size_t spaces = width > 0 && (size_t)width > n ? (size_t)width - n : 0;
    if (!left)
        at = pad(to, room, at, spaces, ' ');
    if (room > 1)
        for (size_t i = 0; i < n; i++)
            put(to, room, at + i, s[i]);
    at += n;
    if (left)
        at = pad(to, room, at, spaces, ' ');
    return at;
}

/* The same to an array of wide characters. */
size_t __fathom_wide_put(int *to, size_t room, size_t at, const int *s, int left, int width, int precision)
{
    size_t n = 0;
    while ((precision < 0 || n < (size_t)precision) && s[n] != 0)
        n++;
    size_t spaces = width > 0 && (size_t)width > n ? (size_t)width - n : 0;
    size_t before = left ? 0 : spaces;
    for (size_t i = 0; i < n + spaces && room > 1 && at + i < room - 1; i++)
        to[at + i] = i >= before && i < before + n ? s[i - before] : ' ';
    return at + n + spaces;
}

void __fathom_wide_end(int *to, size_t room, size_t at)
{
    if (room > 0)
        to[at < room - 1 ? at : room - 1] = 0;
}

static int decimal_length(unsigned long long v)
{
    if (v < 10000000000ull)
        return v < 10 ? 1 : v < 100 ? 2 : v < 1000 ? 3 : v < 10000 ? 4 : v < 100000 ? 5 : v < 1000000 ? 6
            : v < 10000000 ? 7 : v < 100000000 ? 8 : v < 1000000000 ? 9 : 10;
    return v < 100000000000ull ? 11 : v < 1000000000000ull ? 12 : v < 10000000000000ull ? 13 : v < 100000000000000ull ? 14
        : v < 1000000000000000ull ? 15 : v < 10000000000000000ull ? 16 : v < 100000000000000000ull ? 17
        : v < 1000000000000000000ull ? 18 : v < 10000000000000000000ull ? 19 : 20;
}

static int digit(int d, int upper)
{
    return d < 10 ? '0' + d : (upper ? 'A' : 'a') + d - 10;
}

/* A number without loops, for they are hard to reason about. */
size_t __fathom_put_decimal(char *to, size_t room, size_t at, unsigned v, int sign)
{
    if (sign != 0)
        put(to, room, at++, sign);
    if (v >= 1000000000)
        put(to, room, at++, '0' + v / 1000000000);
    if (v >= 100000000)
        put(to, room, at++, '0' + v / 100000000 % 10);
    if (v >= 10000000)
        put(to, room, at++, '0' + v / 10000000 % 10);
    if (v >= 1000000)
        put(to, room, at++, '0' + v / 1000000 % 10);
    if (v >= 100000)
        put(to, room, at++, '0' + v / 100000 % 10);
    if (v >= 10000)
        put(to, room, at++, '0' + v / 10000 % 10);
    if (v >= 1000)
        put(to, room, at++, '0' + v / 1000 % 10);
    if (v >= 100)
        put(to, room, at++, '0' + v / 100 % 10);
    if (v >= 10)
        put(to, room, at++, '0' + v / 10 % 10);
    put(to, room, at++, '0' + v % 10);
    return at;
}

static void put_digits(char *to, size_t room, size_t at, unsigned long long v, int n, int base, int upper)
{
    int bits = base == 16 ? 4 : 3;
    for (int i = n; i > 0; i--) {
        put(to, room, at + i - 1, base == 10 ? '0' + (int)(v % 10) : digit(v & (base - 1), upper));
        v = base == 10 ? v / 10 : v >> bits;
    }
}

/* Flags: 1 is `-`, 2 is `0`, 4 is `#`, 8 is upper case. The sign is a character, or 0 for none. */
size_t __fathom_put_number(char *to, size_t room, size_t at, unsigned long long v, int sign, int base, int flags,
                           int width, int precision)
{
    int n = 0, left = flags & 1, prefix = base == 16 && (flags & 4) && v != 0 ? 2 : 0;
    if (v != 0 || precision != 0) {
        if (base == 10)
            n = decimal_length(v);
        else
            for (unsigned long long rest = v; rest != 0 || n == 0; rest >>= base == 16 ? 4 : 3)
                n++;
    }
    size_t zeros = precision > n ? (size_t)(precision - n) : 0;
    if (base == 8 && (flags & 4) && zeros == 0 && (v != 0 || n == 0))
        zeros = 1;
    size_t total = (sign != 0) + prefix + zeros + n;
    size_t fill = width > 0 && (size_t)width > total ? (size_t)width - total : 0;
    if (fill > 0 && (flags & 2) && !left && precision < 0) {
        zeros += fill;
        fill = 0;
    }
    if (!left)
        at = pad(to, room, at, fill, ' ');
    if (sign != 0)
        put(to, room, at++, sign);
    if (prefix) {
        put(to, room, at++, '0');
        put(to, room, at++, flags & 8 ? 'X' : 'x');
    }
    at = pad(to, room, at, zeros, '0');
    if (room > 1 && n > 0) {
        if (base == 10 && v <= 0xffffffffull)
            __fathom_put_decimal(to, room, at, v, 0);
        else
            put_digits(to, room, at, v, n, base, (flags & 8) != 0);
    }
    at += n;
    if (left)
        at = pad(to, room, at, fill, ' ');
    return at;
}

/* The characters of a floating-point number are not computed. There are at least as many as `width`, and at most `most`. */
size_t __fathom_put_float(char *to, size_t room, size_t at, int width, size_t most)
{
    size_t least = width > 1 ? (size_t)width : 1;
    if (most < least)
        most = least;
    size_t length = __VERIFIER_nondet_ulong();
    __VERIFIER_assume(length >= least && length <= most);
    __fathom_made_up();
    if (room > 1 && at < room - 1) {
        size_t free = room - 1 - at;
        __fathom_havoc(to + at, length < free ? length : free);
    }
    return at + length;
}

size_t __fathom_put_pointer(char *to, size_t room, size_t at, void *p, int left, int width)
{
    if (p != 0)
        return __fathom_put_number(to, room, at, (size_t)p, 0, 16, 4 | left, width, -1);
    size_t spaces = width > 5 ? (size_t)width - 5 : 0;
    if (!left)
        at = pad(to, room, at, spaces, ' ');
    put(to, room, at, '(');
    put(to, room, at + 1, 'n');
    put(to, room, at + 2, 'i');
    put(to, room, at + 3, 'l');
    put(to, room, at + 4, ')');
    at += 5;
    if (left)
        at = pad(to, room, at, spaces, ' ');
    return at;
}

/* A format that is not known before: conversion by conversion. */
static size_t format_text(char *to, size_t room, const char *format, __builtin_va_list arguments)
{
    size_t at = 0;
    for (size_t i = 0; format[i] != 0; i++) {
        if (format[i] != '%') {
            put(to, room, at++, format[i]);
            continue;
        }
        int flags = 0, plus = 0, width = 0, precision = -1, size = 0;
        for (i++;; i++) {
            if (format[i] == '-')
                flags |= 1;
            else if (format[i] == '0')
                flags |= 2;
            else if (format[i] == '#')
                flags |= 4;
            else if (format[i] == '+')
                plus = '+';
            else if (format[i] == ' ')
                plus = plus ? plus : ' ';
            else
                break;
        }
        if (format[i] == '*') {
            width = __builtin_va_arg(arguments, int);
            if (width < 0) {
                flags |= 1;
                width = -width;
            }
            i++;
        } else {
            while (format[i] >= '0' && format[i] <= '9' && width < 100000000)
                width = width * 10 + (format[i++] - '0');
        }
        if (format[i] == '.') {
            precision = 0;
            i++;
            if (format[i] == '*') {
                precision = __builtin_va_arg(arguments, int);
                i++;
            } else {
                while (format[i] >= '0' && format[i] <= '9' && precision < 100000000)
                    precision = precision * 10 + (format[i++] - '0');
            }
        }
        for (;; i++) {
            if (format[i] == 'h')
                size--;
            else if (format[i] == 'l' || format[i] == 'q' || format[i] == 'j' || format[i] == 'L')
                size += format[i] == 'l' ? 1 : 2;
            else if (format[i] == 'z' || format[i] == 't')
                size = 1;
            else
                break;
        }
        int c = format[i];
        if (c == '%') {
            put(to, room, at++, '%');
        } else if (c == 'd' || c == 'i') {
            long long v = size >= 2 ? __builtin_va_arg(arguments, long long)
                : size == 1 ? __builtin_va_arg(arguments, long) : __builtin_va_arg(arguments, int);
            v = size == -1 ? (short)v : size < -1 ? (signed char)v : v;
            unsigned long long magnitude = v < 0 ? -(unsigned long long)v : (unsigned long long)v;
            at = __fathom_put_number(to, room, at, magnitude, v < 0 ? '-' : plus, 10, flags, width, precision);
        } else if (c == 'u' || c == 'x' || c == 'X' || c == 'o') {
            unsigned long long v = size >= 2 ? __builtin_va_arg(arguments, unsigned long long)
                : size == 1 ? __builtin_va_arg(arguments, unsigned long) : __builtin_va_arg(arguments, unsigned);
            v = size == -1 ? (unsigned short)v : size < -1 ? (unsigned char)v : v;
            int base = c == 'u' ? 10 : c == 'o' ? 8 : 16;
            at = __fathom_put_number(to, room, at, v, 0, base, flags | (c == 'X' ? 8 : 0), width, precision);
        } else if (c == 'c' && size == 0) {
            at = __fathom_put_char(to, room, at, __builtin_va_arg(arguments, int), flags & 1, width);
        } else if (c == 's' && size == 0) {
            at = __fathom_put_text(to, room, at, __builtin_va_arg(arguments, const char *), flags & 1, width, precision);
        } else if (c == 's' && size == 1) {
            at = __fathom_put_wide(to, room, at, __builtin_va_arg(arguments, const int *), flags & 1, width, precision);
        } else if (c == 'p') {
            at = __fathom_put_pointer(to, room, at, __builtin_va_arg(arguments, void *), flags & 1, width);
        } else if (c == 'n' && size == 0) {
            *__builtin_va_arg(arguments, int *) = at;
        } else if (size < 2 && (c == 'f' || c == 'F' || c == 'e' || c == 'E' || c == 'g' || c == 'G')) {
            (void)__builtin_va_arg(arguments, double);
            at = __fathom_put_float(to, room, at, width, 330 + (size_t)(precision < 0 ? 6 : precision));
        } else {
            __fathom_unsupported_a_conversion_of_printf_that_is_not_known();
        }
    }
    return at;
}

static int outcome(size_t length)
{
    return length > 0x7fffffff ? -1 : (int)length;
}

/* To a stream, which may fail. */
static int printed(size_t length)
{
    int failure = __VERIFIER_nondet_int();
    return failure < 0 ? failure : outcome(length);
}

int __fathom_print(const char *format, ...)
{
    __builtin_va_list arguments;
    __builtin_va_start(arguments, format);
    size_t length = format_text(0, 0, format, arguments);
    __builtin_va_end(arguments);
    return printed(length);
}

int __fathom_write(char *to, size_t room, const char *format, ...)
{
    __builtin_va_list arguments;
    __builtin_va_start(arguments, format);
    size_t length = format_text(to, room, format, arguments);
    __builtin_va_end(arguments);
    __fathom_put_end(to, room, length);
    return outcome(length);
}

int __fathom_vprint(const char *format, __builtin_va_list arguments)
{
    return printed(format_text(0, 0, format, arguments));
}

int __fathom_vwrite(char *to, size_t room, const char *format, __builtin_va_list arguments)
{
    size_t length = format_text(to, room, format, arguments);
    __fathom_put_end(to, room, length);
    return outcome(length);
}

int vasprintf(char **to, const char *format, __builtin_va_list arguments)
{
    __builtin_va_list again;
    __builtin_va_copy(again, arguments);
    size_t length = format_text(0, 0, format, again);
    __builtin_va_end(again);
    char *text = malloc(length + 1);
    if (text == 0)
        return -1;
    *to = text;
    return __fathom_vwrite(text, -1, format, arguments);
}

int asprintf(char **to, const char *format, ...)
{
    __builtin_va_list arguments;
    __builtin_va_start(arguments, format);
    int length = vasprintf(to, format, arguments);
    __builtin_va_end(arguments);
    return length;
}
