/* Sets of signals: a bit for each of 64. What glibc has behind them is not touched. */

void __fathom_set_errno(int);

typedef unsigned long word;
enum { BITS = 8 * sizeof(word) };

int sigemptyset(word *set)
{
    for (int i = 0; i < 64 / BITS; i++)
        set[i] = 0;
    return 0;
}

/* Without the two signals that glibc keeps for itself. */
int sigfillset(word *set)
{
    for (int i = 0; i < 64 / BITS; i++)
        set[i] = (word)-1;
    set[31 / BITS] &= ~((word)1 << 31 % BITS);
    set[32 / BITS] &= ~((word)1 << 32 % BITS);
    return 0;
}

static int is_signal(int signal)
{
    if (signal >= 1 && signal <= 64 && signal != 32 && signal != 33)
        return 1;
    __fathom_set_errno(22);
    return 0;
}

int sigaddset(word *set, int signal)
{
    if (!is_signal(signal))
        return -1;
    set[(signal - 1) / BITS] |= (word)1 << (signal - 1) % BITS;
    return 0;
}

int sigdelset(word *set, int signal)
{
    if (!is_signal(signal))
        return -1;
    set[(signal - 1) / BITS] &= ~((word)1 << (signal - 1) % BITS);
    return 0;
}

int sigismember(const word *set, int signal)
{
    if (signal < 1 || signal > 64) {
        __fathom_set_errno(22);
        return -1;
    }
    return (set[(signal - 1) / BITS] >> (signal - 1) % BITS & 1) != 0;
}
