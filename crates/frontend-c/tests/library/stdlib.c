/* Functions of stdlib.h, inttypes.h and search.h. */

#include "harness.h"
#include <inttypes.h>
#include <search.h>

/* Text that is likely to be a number. */
static char *numeral(void)
{
    char made[ROOM];
    static const char *starts[] = {"", "0", "0x", "0X", "9223372036854775", "1844674407370955161", "214748364", "0b"};
    snprintf(made, sizeof made, "%s%s%s%s%s", pick(4) ? "" : " \t\n", pick(2) ? "" : pick(2) ? "-" : "+", starts[pick(8)],
             text(1, 6, "0123456789abzxg"), text(2, 2, " x9"));
    char *s = block(0, strlen(made) + 1);
    strcpy(s, made);
    return s;
}

#define PARSE(name)                                                                                                    \
    {                                                                                                                  \
        DECLARE(name);                                                                                                 \
        static const int bases[] = {0, 10, 16, 8, 2, 36, 1, -1, 37};                                                   \
        char *s = numeral(), *our_end = 0, *their_end = 0;                                                             \
        int base = pick(2) ? bases[pick(9)] : (int)pick(36) + 1;                                                       \
        same(MODEL(model_##name(s, &our_end, base)), REAL(name(s, &their_end, base)));                                 \
        same_errno();                                                                                                  \
        same_place(our_end, their_end);                                                                                \
        same(MODEL(model_##name(s, 0, base)), REAL(name(s, 0, base)));                                                 \
    }
TEST(strtol) PARSE(strtol)
TEST(strtoll) PARSE(strtoll)
TEST(strtoul) PARSE(strtoul)
TEST(strtoull) PARSE(strtoull)
TEST(strtoq) PARSE(strtoq)
TEST(strtouq) PARSE(strtouq)
TEST(strtoimax) PARSE(strtoimax)
TEST(strtoumax) PARSE(strtoumax)
/* Text that is likely to be a float. */
static char *decimal(void)
{
    char made[ROOM];
    static const char *starts[] = {"", " -", "+", "inf", "-INFinity", "nan", "NaN(", "nan(a1)", "."};
    static const char *ends[] = {"", "e", "e5", "E-3", "e+12", "e-30", "x", "e+", ")"};
    snprintf(made, sizeof made, "%s%s%s%s", starts[pick(3) ? pick(3) : pick(9)], text(1, 5, "0123456789."),
             text(2, 4, "0123456789"), ends[pick(9)]);
    char *s = block(0, strlen(made) + 1);
    strcpy(s, made);
    return s;
}
#define FLOAT(name) { DECLARE(name); char *s = decimal(), *our_end = 0, *their_end = 0; same_double(MODEL(model_##name(s, &our_end)), REAL(name(s, &their_end))); same_errno(); same_place(our_end, their_end); }
TEST(strtod) FLOAT(strtod)
TEST(strtof) FLOAT(strtof)
TEST(atof) { DECLARE(atof); char *s = decimal(); same_double(model_atof(s), atof(s)); }
#define PLAIN(name) { DECLARE(name); char *s = numeral(); same(model_##name(s), name(s)); }
/* A number that is too large has no result. */
TEST(atoi) { DECLARE(atoi); char *s = numeral(); long n = strtol(s, 0, 10); if (n == (int)n) same(model_atoi(s), atoi(s)); }
TEST(atol) PLAIN(atol)
TEST(atoll) PLAIN(atoll)

#define DIVIDE(name, type)                                                                                             \
    {                                                                                                                  \
        DECLARE(name);                                                                                                 \
        type a = (type)integer(), b = (type)integer();                                                                 \
        if (b == 0 || b == -1)                                                                                         \
            b = 3;                                                                                                     \
        same(model_##name(a, b).quot, name(a, b).quot);                                                                \
        same(model_##name(a, b).rem, name(a, b).rem);                                                                  \
    }
TEST(div) DIVIDE(div, int)
TEST(ldiv) DIVIDE(ldiv, long)
TEST(lldiv) DIVIDE(lldiv, long long)
TEST(imaxdiv) DIVIDE(imaxdiv, intmax_t)

static int by_byte(const void *a, const void *b)
{
    return *(const unsigned char *)a - *(const unsigned char *)b;
}
static int by_byte_and(const void *a, const void *b, void *sign)
{
    return by_byte(a, b) * *(int *)sign;
}
TEST(qsort) { DECLARE(qsort); size_t n = pick(15); prepare(); model_qsort(ours, n, 1, by_byte); qsort(theirs, n, 1, by_byte); same_written(); }
TEST(qsort_r) { DECLARE(qsort_r); size_t n = pick(15); int sign = pick(2) ? 1 : -1; prepare(); model_qsort_r(ours, n, 1, by_byte_and, &sign); qsort_r(theirs, n, 1, by_byte_and, &sign); same_written(); }
/* Without equal elements, of which any may be found. */
TEST(bsearch)
{
    DECLARE(bsearch);
    unsigned char sorted[20], key = pick(64), next = 0;
    size_t n = pick(20);
    for (size_t i = 0; i < n; i++)
        sorted[i] = next += 1 + pick(4);
    same_place(model_bsearch(&key, sorted, n, 1, by_byte), bsearch(&key, sorted, n, 1, by_byte));
}
TEST(lfind) { DECLARE(lfind); size_t n = pick(20), m = n; char *s = block(0, n), key = 'a'; same_place(model_lfind(&key, s, &n, 1, by_byte), lfind(&key, s, &m, 1, by_byte)); }
