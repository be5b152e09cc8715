/* The library: memory, strings, numbers, sorting. */
typedef unsigned long size_t;
void *malloc(size_t), *calloc(size_t, size_t), *realloc(void *, size_t);
void free(void *);
void *memcpy(void *, const void *, size_t), *memmove(void *, const void *, size_t), *memset(void *, int, size_t);
int memcmp(const void *, const void *, size_t);
size_t strlen(const char *), strspn(const char *, const char *), strcspn(const char *, const char *);
char *strcpy(char *, const char *), *strcat(char *, const char *), *strncpy(char *, const char *, size_t);
char *strncat(char *, const char *, size_t), *strchr(const char *, int), *strrchr(const char *, int);
char *strstr(const char *, const char *), *strdup(const char *);
int strcmp(const char *, const char *), strncmp(const char *, const char *, size_t);
int atoi(const char *), abs(int);
long strtol(const char *, char **, int);
unsigned long strtoul(const char *, char **, int);
void qsort(void *, size_t, size_t, int (*)(const void *, const void *));
int isalpha(int), isdigit(int), isspace(int), ispunct(int), toupper(int);
const unsigned short **__ctype_b_loc(void);

static int failed;
static void check(int ok, int number) { if (!ok && !failed) failed = number; }

static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

int main(void)
{
    char *p = malloc(10);
    strcpy(p, "abc");
    strcat(p, "def");
    check(strlen(p) == 6 && strcmp(p, "abcdef") == 0 && strcmp(p, "abcdeg") < 0 && strncmp(p, "abcx", 3) == 0, 1);
    p = realloc(p, 100);
    memmove(p + 2, p, 6);
    p[8] = 0;
    check(strcmp(p, "ababcdef") == 0 && strchr(p, 'd') == p + 5 && strrchr(p, 'b') == p + 3 && !strchr(p, 'z'), 2);
    check(strstr(p, "bcd") == p + 3 && !strstr(p, "bd") && strspn(p, "ab") == 4 && strcspn(p, "dc") == 4, 3);
    free(p);
    int *zeros = calloc(4, sizeof(int));
    check(zeros[0] == 0 && zeros[3] == 0, 4);
    memset(zeros, 0xff, 8);
    check(zeros[1] == -1 && zeros[2] == 0, 5);
    free(zeros);
    char short_copy[5];
    strncpy(short_copy, "ab", 5);
    check(short_copy[1] == 'b' && short_copy[2] == 0 && short_copy[4] == 0, 6);
    char text[20] = "hello";
    strncat(text, " world", 3);
    check(strcmp(text, "hello wo") == 0, 7);
    char *copy = strdup(text);
    check(copy != text && memcmp(copy, text, 9) == 0, 8);
    free(copy);
    check(atoi("  -42x") == -42 && strtol("0x1f", 0, 0) == 31 && strtol("777", 0, 8) == 511, 9);
    char *end;
    check(strtoul("4294967295", &end, 10) == 4294967295ul && *end == 0, 10);
    int a[] = { 5, 3, 9, 1, 7, 3 };
    qsort(a, 6, sizeof *a, compare);
    check(a[0] == 1 && a[1] == 3 && a[2] == 3 && a[3] == 5 && a[5] == 9, 11);
    check(isalpha('x') && !isdigit('x') && isspace('\t') && ispunct('!') && toupper('q') == 'Q', 12);
    check((*__ctype_b_loc())['7'] & (1 << 11), 13);
    check(abs(-4) == 4, 14);
    struct { int n; int rest[]; } *flexible = malloc(sizeof *flexible + 3 * sizeof(int));
    flexible->rest[2] = 8;
    check(flexible->rest[2] == 8, 15);
    free(flexible);
    void *(*make)(size_t) = malloc;
    int *made = make(sizeof(int));
    *made = 5;
    check(*made == 5, 16);
    void (*drop)(void *) = free;
    drop(made);
    return failed;
}
