// Property: array-bounds
// Joins two strings into a buffer of limited size, as strlcpy and strlcat do.
extern char __VERIFIER_nondet_char(void);

#define SIZE 6

static int copy(char *to, const char *from, int size)
{
    int i = 0;
    while (from[i] != 0 && i < size - 1) {
        to[i] = from[i];
        i++;
    }
    to[i] = 0;
    return i;
}

static int append(char *to, const char *from, int size)
{
    int n = 0;
    while (to[n] != 0)
        n++;
    int i = 0;
    while (from[i] != 0 && n + i < size) { // FAULT: n + i < size - 1
        to[n + i] = from[i];
        i++;
    }
    to[n + i] = 0;
    return n + i;
}

int main(void)
{
    char first[4];
    char second[4];
    char joined[SIZE];
    for (int i = 0; i < 3; i++) {
        first[i] = __VERIFIER_nondet_char();
        second[i] = __VERIFIER_nondet_char();
    }
    first[3] = 0;
    second[3] = 0;
    copy(joined, first, SIZE);
    return append(joined, second, SIZE);
}
