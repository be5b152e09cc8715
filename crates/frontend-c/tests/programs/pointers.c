/* Pointers, arrays, strings, structs and unions in memory. */
static int failed;
static void check(int ok, int number) { if (!ok && !failed) failed = number; }

struct node { int value; struct node *next; };
union both { float f; unsigned u; unsigned char b[4]; };
struct mixed { char c; double d; short s[3]; union both u; };

static int numbers[10] = { 1, 2, [5] = 9, 10 };
static int *middle = &numbers[5];
static char word[] = "word";
static const char *const names[] = { "zero", "one", "two" };
static struct mixed table[2] = { { 'x', 1.5, { 1, 2, 3 }, { 2.5f } }, [1].s[2] = 7 };

static int length(const struct node *list)
{
    int n = 0;
    while (list) {
        n++;
        list = list->next;
    }
    return n;
}

static struct mixed changed(struct mixed m)
{
    m.c++;
    m.s[1] *= 2;
    return m;
}

static void swap(int *a, int *b)
{
    int t = *a;
    *a = *b;
    *b = t;
}

int main(void)
{
    int x = 1, y = 2;
    swap(&x, &y);
    check(x == 2 && y == 1, 1);
    check(*middle == 9 && middle[1] == 10 && middle[-4] == 2 && numbers[9] == 0, 2);
    check(word[3] == 'd' && sizeof word == 5, 3);
    check(names[2][1] == 'w', 4);
    struct node c = { 3, 0 }, b = { 2, &c }, a = { 1, &b };
    check(length(&a) == 3 && a.next->next->value == 3, 5);
    union both u;
    u.f = 1.5f;
    check(u.u == 0x3fc00000u && u.b[3] == 0x3f, 6);
    u.b[0] = 1;
    check(u.u == 0x3fc00001u, 7);
    struct mixed m = changed(table[0]);
    check(m.c == 'y' && m.s[1] == 4 && table[0].s[1] == 2 && m.u.f == 2.5f && table[1].s[2] == 7, 8);
    m = changed(changed(m));
    check(m.c == '{' && m.s[1] == 16, 9);
    int grid[3][4];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            grid[i][j] = 10 * i + j;
    int (*row)[4] = grid + 1;
    check(*(*row + 2) == 12 && &grid[2][1] - &grid[0][3] == 6, 10);
    check(&grid[0][0] < &grid[0][1] && (void *)row == (void *)grid[1], 11);
    char *p = (char *)&x;
    p[1] = 1;
    check(x == 258, 12);
    unsigned long address = (unsigned long)&y;
    *(int *)address = 77;
    *(int *)(address + 0) += 1;
    check(y == 78, 13);
    int n = 5, squares[n];
    for (int i = 0; i < n; i++)
        squares[i] = i * i;
    check(squares[4] == 16 && sizeof squares == 5 * sizeof(int), 14);
    int *literal = (int[]){ 4, x, 6 };
    check(literal[1] == 258 && ((struct node){ 5, 0 }).value == 5, 15);
    struct node copy = a;
    copy.value = 9;
    check(a.value == 1 && copy.next == &b, 16);
    int **pp = &middle;
    **pp = 4;
    *pp = numbers;
    check(numbers[5] == 4 && *middle == 1, 17);
    int last = 0;
    for (int i = 0; i < 3; i++) {
        int local, *to = &local;
        *to = i;
        if (i == 1)
            continue;
        last = 10 * last + local;
    }
    check(last == 2, 18);
    return failed;
}
