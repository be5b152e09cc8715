//! run: value: 48879 = 0xbeef, !%
// A small printf.
#include <stdio.h>
#include <stdarg.h>

static void number(unsigned n, unsigned base) {
    if (n >= base)
        number(n / base, base);
    putchar("0123456789abcdef"[n % base]);
}

static void print(const char *format, ...) {
    va_list ap;
    va_start(ap, format);
    for (; *format; format++) {
        if (*format != '%') {
            putchar(*format);
            continue;
        }
        switch (*++format) {
        case 'u': number(va_arg(ap, unsigned), 10); break;
        case 'x': number(va_arg(ap, unsigned), 16); break;
        case 'c': putchar(va_arg(ap, int)); break;
        case 's':
            for (const char *s = va_arg(ap, char *); *s; s++)
                putchar(*s);
            break;
        default: putchar(*format);
        }
    }
    va_end(ap);
}

int main(void) {
    print("%s: %u = 0x%x, %c%%\n", "value", 48879u, 48879u, '!');
    return 0;
}
