/* Arithmetic of machine integers: promotions, conversions, wrapping, shifts, division. */
static int failed;
static void check(int ok, int number) { if (!ok && !failed) failed = number; }

enum direction { DOWN = -1, NONE, UP = 10 };

int main(void)
{
    unsigned u = 0xdeadbeef;
    int i = 7;
    signed char c = (signed char)u;
    check(u >> 3 == 0x1bd5b7ddu, 1);
    check((int)u >> 3 == -69879843, 2);
    check(c == -17, 3);
    check((unsigned short)~u == 0x4110, 4);
    check(-7 / 2 == -3 && -7 % 2 == -1 && i % -3 == 1, 5);
    check((u + u) == 0xbd5b7ddeu, 6);
    check((unsigned char)(200 + 100) == 44, 7);
    check(-1 > 0u, 8);
    check((short)40000 == -25536, 9);
    c = 127;
    c++;
    check(c == -128, 10);
    _Bool b = 5;
    b += 3;
    check(b == 1, 11);
    b--;
    check(b == 0, 12);
    enum direction d = UP;
    d++;
    check(d == 11 && DOWN < 0, 13);
    unsigned long long big = 1ull << 40;
    check(big >> 38 == 4 && (int)big == 0, 14);
    int n = 33;
    check(1 << (n & 31) == 2, 15);
    check((1u << 31) >> 31 == 1, 16);
    check(!i == 0 && !!i == 1 && ~i == -8 && -i == -7, 17);
    long long product = (long long)i * 1000000007ll;
    check(product == 7000000049ll, 18);
    i = 5;
    int j = i++ * 2 + 1 > 10 ? ++i, i-- : --i;
    check(i == 6 && j == 7, 19);
    check((i = 3, i + 1) == 4, 20);
    unsigned w = 4294967295u;
    w++;
    check(w == 0, 21);
    check(sizeof(long) == sizeof(void *), 22);
    return failed;
}
