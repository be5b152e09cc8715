/* Bit-fields, in variables and in memory, packed and not. */
static int failed;
static void check(int ok, int number) { if (!ok && !failed) failed = number; }

struct plain { signed a : 7; unsigned long long b : 40; _Bool c : 1; unsigned char d : 4; };
struct __attribute__((packed)) tight { char a; int b; long long c : 37; unsigned d : 5; };
union view { struct { unsigned low : 12, middle : 8, high : 12; } parts; unsigned whole; };

static struct plain shared = { -1, 5, 1, 9 };

int main(void)
{
    struct plain p = { -3, 1ull << 39, 5, 17 };
    p.a--;
    p.b |= 3;
    check(p.a == -4 && p.b == 0x8000000003ull && p.c == 1 && p.d == 1, 1);
    p.d += 15;
    p.c = !p.c;
    check(p.d == 0 && p.c == 0, 2);
    check((p.a = 100) == -28, 3);
    check(p.a++ == -28 && p.a == -27, 4);
    struct plain *q = &shared;
    q->a += 65;
    q->b = -1;
    check(q->a == -64 && q->b == 0xffffffffffull && q->c && q->d == 9, 5);
    struct tight t;
    unsigned char *bytes = (unsigned char *)&t;
    for (unsigned i = 0; i < sizeof t; i++)
        bytes[i] = 0xff;
    t.c = -5;
    t.d = 9;
    t.b = 77;
    check(sizeof t == 11 && t.c == -5 && t.d == 9 && t.b == 77 && t.a == -1, 6);
    check(bytes[1] == 77 && bytes[5] == 0xfb && bytes[9] == 0x3f && bytes[10] == 0xfd, 7);
    union view v;
    v.whole = 0x12345678;
    check(v.parts.low == 0x678 && v.parts.middle == 0x45 && v.parts.high == 0x123, 8);
    v.parts.middle++;
    check(v.whole == 0x12346678, 9);
    struct plain copy = shared;
    copy.d = 3;
    check(shared.d == 9 && copy.b == shared.b, 10);
    return failed;
}
