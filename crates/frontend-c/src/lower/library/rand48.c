/* POSIX's random numbers, by the congruence that POSIX gives: X becomes a X + c modulo 2 to the power of 48. Before a seed is given, X is
   arbitrary. */

typedef unsigned short word;
unsigned long long __VERIFIER_nondet_ulonglong(void);

static _Bool seeded;
static unsigned long long x, factor = 0x5deece66d;
static unsigned short summand = 0xb;

static unsigned long long from_words(const word *words)
{
    return words[0] | (unsigned long long)words[1] << 16 | (unsigned long long)words[2] << 32;
}

static void to_words(word *words, unsigned long long value)
{
    words[0] = value;
    words[1] = value >> 16;
    words[2] = value >> 32;
}

static unsigned long long after(unsigned long long value)
{
    return (value * factor + summand) & 0xffffffffffff;
}

static unsigned long long step(void)
{
    if (!seeded) {
        x = __VERIFIER_nondet_ulonglong() & 0xffffffffffff;
        seeded = 1;
    }
    x = after(x);
    return x;
}

static unsigned long long step_of(word *words)
{
    unsigned long long value = after(from_words(words));
    to_words(words, value);
    return value;
}

double drand48(void)
{
    return step() * 0x1p-48;
}

double erand48(word *words)
{
    return step_of(words) * 0x1p-48;
}

long lrand48(void)
{
    return step() >> 17;
}

long nrand48(word *words)
{
    return step_of(words) >> 17;
}

long mrand48(void)
{
    return (int)(step() >> 16);
}

long jrand48(word *words)
{
    return (int)(step_of(words) >> 16);
}

void srand48(long seed)
{
    x = (unsigned long long)(unsigned)seed << 16 | 0x330e;
    factor = 0x5deece66d;
    summand = 0xb;
    seeded = 1;
}

/* Gives what X was. */
word *seed48(word *words)
{
    static word before[3];
    unsigned long long next = from_words(words);
    to_words(before, seeded ? x : __VERIFIER_nondet_ulonglong() & 0xffffffffffff);
    x = next;
    factor = 0x5deece66d;
    summand = 0xb;
    seeded = 1;
    return before;
}

void lcong48(word *words)
{
    x = from_words(words);
    factor = from_words(words + 3);
    summand = words[6];
    seeded = 1;
}
