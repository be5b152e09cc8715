/* Statements and the order of evaluation where C fixes it. */
static int failed;
static void check(int ok, int number) { if (!ok && !failed) failed = number; }

static int trace;
static int seen(int value, int digit)
{
    trace = 10 * trace + digit;
    return value;
}

static int classify(int n)
{
    switch (n) {
    case 0:
        return 1;
    case 1 ... 5:
        n += 10;
        /* fall through */
    case 77:
        n++;
        break;
    default:
        n = -1;
    }
    return n;
}

static int jumped(int n)
{
    switch (n) {
        int inside;
    case 1:
        inside = 4;
        return inside + n;
    }
    goto skip;
    {
        int *p, x;
    skip:
        p = &x;
        *p = 6;
        return x;
    }
}

static int first_multiple(int of, int above)
{
    int i = above;
again:
    if (i % of == 0)
        return i;
    i++;
    goto again;
}

static int apply(int (*f)(int, int), int a, int b) { return f(a, b); }
static int add(int a, int b) { return a + b; }
static int subtract(int a, int b) { return a - b; }
static int (*const operations[])(int, int) = { add, subtract };

static int factorial(int n) { return n <= 1 ? 1 : n * factorial(n - 1); }

static int sum(int count, ...)
{
    __builtin_va_list list, copy;
    __builtin_va_start(list, count);
    __builtin_va_copy(copy, list);
    int total = 0;
    for (int i = 0; i < count; i++)
        total += __builtin_va_arg(list, int);
    total += 100 * __builtin_va_arg(copy, int);
    __builtin_va_end(list);
    __builtin_va_end(copy);
    return total;
}

int main(void)
{
    check((seen(0, 1) && seen(1, 2)) == 0 && trace == 1, 1);
    trace = 0;
    check((seen(0, 1) || seen(3, 2)) == 1 && trace == 12, 2);
    trace = 0;
    int x = seen(1, 1) ? seen(5, 2) : seen(6, 3);
    check(x == 5 && trace == 12, 3);
    trace = 0;
    x = (seen(1, 1), seen(2, 2));
    check(x == 2 && trace == 12, 4);
    check(classify(0) == 1 && classify(3) == 14 && classify(77) == 78 && classify(6) == -1, 5);
    check(jumped(1) == 5 && jumped(2) == 6, 6);
    check(first_multiple(7, 22) == 28, 7);
    int n = 0;
    do {
        if (++n == 3)
            continue;
        if (n > 5)
            break;
    } while (n < 100);
    check(n == 6, 8);
    for (n = 0;; n += 2)
        if (n > 6)
            break;
    check(n == 8, 9);
    check(apply(add, 2, 3) == 5 && apply(subtract, 2, 3) == -1 && operations[n > 7](9, 4) == 5, 10);
    check(factorial(6) == 720, 11);
    check(sum(3, 1, 2, 3) == 106, 12);
    check(({ int q = 3; q + n; }) == 11, 13);
    int a[3] = { 0, 0, 0 }, i = 0;
    a[i++] = 5;
    a[i++] += 7;
    check(i == 2 && a[0] == 5 && a[1] == 7 && a[2] == 0, 14);
    i = 0;
    while (i < 3 && a[i] != 7)
        i++;
    check(i == 1, 15);
    x = 10;
    x += seen(1, 1) && (x = 3, 1);
    check(x == 4 || x == 11, 16);
    static int calls;
    for (calls = 0; calls < 4; calls++)
        ;
    check(calls == 4, 17);
    return failed;
}
