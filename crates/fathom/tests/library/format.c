/* What printf and its like write, and what sscanf reads. */

#include "random.h"
#include <string.h>

static char text[64];

static void add_text(int length)
{
    add(length);
    for (int i = 0; i < 64; i++) {
        add((unsigned char)text[i]);
        text[i] = 'x';
    }
}

static void write_all(void)
{
    int x = (int)(bits() >> 30) >> (bits() >> 59), width = (int)(bits() >> 60) - 8;
    long long y = (long long)bits() >> (bits() >> 58);
    unsigned long room = bits() >> 58;
    static const char *words[] = {"", "a", "word", "sentence"};
    const char *s = words[bits() >> 62];
    switch (bits() % 47) {
    case 0:
        add_text(snprintf(text, room, "<%d>", x));
        break;
    case 1:
        add_text(snprintf(text, room, "<%i>", x));
        break;
    case 2:
        add_text(snprintf(text, room, "<%u>", x));
        break;
    case 3:
        add_text(snprintf(text, room, "<%x>", x));
        break;
    case 4:
        add_text(snprintf(text, room, "<%X>", x));
        break;
    case 5:
        add_text(snprintf(text, room, "<%o>", x));
        break;
    case 6:
        add_text(snprintf(text, room, "<%5d>", x));
        break;
    case 7:
        add_text(snprintf(text, room, "<%-12d|>", x));
        break;
    case 8:
        add_text(snprintf(text, room, "<%015d>", x));
        break;
    case 9:
        add_text(snprintf(text, room, "<%+d>", x));
        break;
    case 10:
        add_text(snprintf(text, room, "<% d>", x));
        break;
    case 11:
        add_text(snprintf(text, room, "<%.3d>", x));
        break;
    case 12:
        add_text(snprintf(text, room, "<%14.12d>", x));
        break;
    case 13:
        add_text(snprintf(text, room, "<%-14.3d|>", x));
        break;
    case 14:
        add_text(snprintf(text, room, "<%#x>", x));
        break;
    case 15:
        add_text(snprintf(text, room, "<%#o>", x));
        break;
    case 16:
        add_text(snprintf(text, room, "<%#.0o>", x));
        break;
    case 17:
        add_text(snprintf(text, room, "<%.0d>", x));
        break;
    case 18:
        add_text(snprintf(text, room, "<%hhd>", x));
        break;
    case 19:
        add_text(snprintf(text, room, "<%hhu>", x));
        break;
    case 20:
        add_text(snprintf(text, room, "<%hd>", x));
        break;
    case 21:
        add_text(snprintf(text, room, "<%hx>", x));
        break;
    case 22:
        add_text(snprintf(text, room, "<%*d>", width, x));
        break;
    case 23:
        add_text(snprintf(text, room, "<%-*d|>", width, x));
        break;
    case 24:
        add_text(snprintf(text, room, "<%.*d>", width, x));
        break;
    case 25:
        add_text(snprintf(text, room, "<%012x>", x));
        break;
    case 26:
        add_text(snprintf(text, room, "<%#12X>", x));
        break;
    case 27:
        add_text(snprintf(text, room, "<%+5d>", x));
        break;
    case 28:
        add_text(snprintf(text, room, "<%ld>", y));
        break;
    case 29:
        add_text(snprintf(text, room, "<%lu>", y));
        break;
    case 30:
        add_text(snprintf(text, room, "<%lx>", y));
        break;
    case 31:
        add_text(snprintf(text, room, "<%llo>", y));
        break;
    case 32:
        add_text(snprintf(text, room, "<%20ld>", y));
        break;
    case 33:
        add_text(snprintf(text, room, "<%-22lld|>", y));
        break;
    case 34:
        add_text(snprintf(text, room, "<%022ld>", y));
        break;
    case 35:
        add_text(snprintf(text, room, "<%.20ld>", y));
        break;
    case 36:
        add_text(snprintf(text, room, "<%zu>", y));
        break;
    case 37:
        add_text(snprintf(text, room, "<%jd>", y));
        break;
    case 38:
        add_text(snprintf(text, room, "<%#lx>", y));
        break;
    case 39:
        add_text(snprintf(text, room, "<%s>", s));
        break;
    case 40:
        add_text(snprintf(text, room, "<%10s>", s));
        break;
    case 41:
        add_text(snprintf(text, room, "<%-10s|>", s));
        break;
    case 42:
        add_text(snprintf(text, room, "<%.3s>", s));
        break;
    case 43:
        add_text(snprintf(text, room, "<%10.3s>", s));
        break;
    case 44:
        add_text(snprintf(text, room, "<%.*s>", width, s));
        break;
    case 45:
        add_text(snprintf(text, room, "<%*s>", width, s));
        break;
    case 46:
        add_text(snprintf(text, room, "%c%3c%-3c%%", x & 127, (x >> 7 & 63) + 33, (x >> 13 & 63) + 33));
        break;
    }
}

static void read_all(void)
{
    int x = (int)bits() >> (bits() >> 59), a = -1, b = -1, n = -1;
    char word[16] = "";
    unsigned c = 0;
    sprintf(text, "%d  %x,%s", x, (unsigned)x, x & 1 ? "ab12" : "-7");
    add(sscanf(text, "%d %x,%15s%n", &a, &c, word, &n));
    add(a);
    add(c);
    add(n);
    add(word[0]);
    add(word[1]);
    add(sscanf(text, "%3d%d", &a, &b));
    add(a);
    add(b);
    add(sscanf(text, "%*d %*x,%[a-z]%d", word, &b));
    add(word[0]);
    add(b);
}

TEST(snprintf, write_all())
TEST(sscanf, read_all())
TEST(sprintf, int x = (int)(bits() >> 20); add_text(sprintf(text, "%d:%s:%08x", x, x & 1 ? "odd" : "", (unsigned)x)))

int main(void)
{
    test_snprintf();
    test_sprintf();
    test_sscanf();
}
