/* What the comparison and the models need: random data, and the functions that the models ask the tool for. */

#include "harness.h"
#include <setjmp.h>
#include <sys/mman.h>

static struct {
    const char *name;
    void (*run)(void);
} tests[1000];
static int count, differences, refusals;
static const char *current;
static int round_number;
static sigjmp_buf next_call;

void add_test(const char *name, void (*test)(void))
{
    tests[count].name = name;
    tests[count++].run = test;
}

static uint64_t state = 88172645463325252u;

uint64_t bits(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state * 2685821657736338717u;
}

uint64_t pick(uint64_t n)
{
    return (bits() >> 20) % n;
}

int64_t integer(void)
{
    static const int64_t special[] = {0, 1, -1, 2, 127, 128, 255, 256, INT32_MAX, INT32_MIN, INT64_MAX, INT64_MIN, UINT32_MAX};
    if (pick(4) == 0)
        return special[pick(sizeof special / sizeof *special)];
    return (int64_t)bits() >> pick(64);
}

double number(void)
{
    static const double special[] = {0.0, -0.0, 1.0, -1.0, 0.5, 0x1p-1074, 0x1p-1022, 0x1.fffffffffffffp1023, 1.0 / 0.0, -1.0 / 0.0, 0.0 / 0.0};
    if (pick(4) == 0)
        return special[pick(sizeof special / sizeof *special)];
    if (pick(3) == 0)
        return (double)integer() / (1 + pick(16));
    union { uint64_t bits; double number; } u = {bits()};
    return u.number;
}

float narrow(void)
{
    if (pick(2))
        return (float)number();
    union { uint32_t bits; float number; } u = {(uint32_t)bits()};
    return u.number;
}

enum { AREAS = 4, PAGE = 4096 };

/* The end of an area: what follows cannot be accessed. */
static char *edge(int area)
{
    static char *areas[AREAS];
    if (areas[area] == 0) {
        areas[area] = mmap(0, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        mprotect(areas[area] + PAGE, PAGE, PROT_NONE);
    }
    return areas[area] + PAGE;
}

char *text(int area, size_t most, const char *set)
{
    size_t length = pick(most + 1), kinds = strlen(set);
    char *s = edge(area) - length - 1;
    for (size_t i = 0; i < length; i++)
        s[i] = set[pick(kinds)];
    s[length] = 0;
    return s;
}

wchar_t *wide_text(int area, size_t most, const char *set)
{
    size_t length = pick(most + 1), kinds = strlen(set);
    wchar_t *s = (wchar_t *)edge(area) - length - 1;
    for (size_t i = 0; i < length; i++)
        s[i] = set[pick(kinds)];
    s[length] = 0;
    return s;
}

void *block(int area, size_t size)
{
    char *s = edge(area) - size;
    for (size_t i = 0; i < size; i++)
        s[i] = pick(3) ? "ab"[pick(2)] : (char)bits();
    return s;
}

char ours[ROOM], theirs[ROOM];
wchar_t our_wide[ROOM], their_wide[ROOM];
int our_errno, their_errno;

void prepare(void)
{
    for (int i = 0; i < ROOM; i++) {
        ours[i] = theirs[i] = (char)(pick(250) + 1);
        our_wide[i] = their_wide[i] = (int)bits();
    }
}

void differ(const char *what, long long model, long long real)
{
    if (differences++ < 40)
        printf("%s, call %d: %s is %lld, not %lld\n", current, round_number, what, model, real);
}

void same(long long model, long long real)
{
    if (model != real)
        differ("the result", model, real);
}

void same_sign(long long model, long long real)
{
    if ((model > 0) - (model < 0) != (real > 0) - (real < 0))
        differ("the sign", model, real);
}

void same_truth(long long model, long long real)
{
    if ((model != 0) != (real != 0))
        differ("the truth", model, real);
}

void same_bytes(const void *model, const void *real, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (((const unsigned char *)model)[i] != ((const unsigned char *)real)[i]) {
            differ("a byte", ((const unsigned char *)model)[i], ((const unsigned char *)real)[i]);
            return;
        }
}

void same_written(void)
{
    same_bytes(ours, theirs, sizeof ours);
    same_bytes(our_wide, their_wide, sizeof our_wide);
}

/* Which of the numbers that are none it is, is left open. */
void same_double(double model, double real)
{
    if (!(model != model && real != real) && memcmp(&model, &real, sizeof model) != 0) {
        differ("the number", 0, 0);
        if (differences < 40)
            printf("  %a, not %a\n", model, real);
    }
}

void same_long_double(long double model, long double real)
{
    if (!(model != model && real != real) && (model != real || __builtin_signbit(model) != __builtin_signbit(real)))
        differ("the number", (long long)model, (long long)real);
}

void same_place(const void *model, const void *real)
{
    if (model != real)
        differ("the place", (long long)model, (long long)real);
}

void same_offset(const void *model, const void *real)
{
    if (model == 0 || real == 0) {
        same_place(model, real);
        return;
    }
    long long a = (const char *)model - ours, b = (const char *)real - theirs;
    if (a != b && (const char *)model - (const char *)our_wide != (const char *)real - (const char *)their_wide)
        differ("the place", a, b);
}

void same_errno(void)
{
    if (our_errno != their_errno)
        differ("errno", our_errno, their_errno);
}

/* The functions of the tool. */

int __fathom_order(int x) { return x; }
int __fathom_truth(int x) { return x; }
void __fathom_readable(const void *p, size_t n) { }
void __fathom_writable(void *p, size_t n) { }
void __fathom_disjoint(const void *a, size_t n, const void *b, size_t m) { }
void __fathom_output(const void *p, size_t n) { }
void __fathom_set_errno(int e) { errno = e; }
void __fathom_fail(void) { errno = 1 + pick(100); }
void *__fathom_object(size_t n) { return malloc(n + 1); }
void *__fathom_pages(size_t n) { return malloc(n + 1); }
int __fathom_sees_environ(void) { return 0; }
int __fathom_has_threads(void) { return 0; }
void __fathom_assume_no_signals(void) { }
void __fathom_die(void) { abort(); }
int __fathom_looks_at_memory(void) { return 1; }
int __fathom_comparators_are_pure(void) { return 1; }
int __fathom_comparisons_matter(void) { return 1; }
void __VERIFIER_atomic_begin(void) { }
unsigned long long __VERIFIER_nondet_ulonglong(void) { return bits(); }
void __fathom_assume_c_locale(void) { }
void __VERIFIER_atomic_end(void) { }
_Bool __VERIFIER_nondet_bool(void) { return pick(2); }
char __VERIFIER_nondet_char(void) { return bits(); }
unsigned char __VERIFIER_nondet_uchar(void) { return bits(); }
unsigned short __VERIFIER_nondet_ushort(void) { return bits(); }
int __VERIFIER_nondet_int(void) { return bits(); }
unsigned __VERIFIER_nondet_uint(void) { return bits(); }
long __VERIFIER_nondet_long(void) { return bits(); }
/* Small, as it often is a number of elements. */
unsigned long __VERIFIER_nondet_ulong(void) { return pick(8); }
double __VERIFIER_nondet_double(void) { return number(); }
float __VERIFIER_nondet_float(void) { return narrow(); }

void __fathom_havoc(void *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        ((char *)p)[i] = bits();
}

/* The model does not say what happens: another call is made. */
static void give_up(void)
{
    refusals++;
    siglongjmp(next_call, 1);
}

void __VERIFIER_assume(int holds)
{
    if (!holds)
        give_up();
}

/* A value that is not computed is not compared. */
void __fathom_made_up(void)
{
    give_up();
}

void refused(void)
{
    give_up();
}

int main(void)
{
    for (int i = 0; i < count; i++) {
        current = tests[i].name;
        refusals = 0;
        int before = differences;
        for (round_number = 0; round_number < CALLS && differences < before + 3; round_number++)
            if (sigsetjmp(next_call, 0) == 0)
                tests[i].run();
        if (refusals > CALLS / 2)
            differ("how often it was refused", refusals, 0);
    }
    printf("%d functions, %d differences\n", count, differences);
    return differences != 0;
}
