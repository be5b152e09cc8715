/* Functions of several smaller headers. */

#include "harness.h"
#include <arpa/inet.h>
#include <libgen.h>
#undef basename
#include <inttypes.h>
#include <search.h>
#include <signal.h>
#include <getopt.h>
#include <time.h>
#include <math.h>
#include <locale.h>

char *gnu_basename(const char *) __asm__("basename");
char *model_basename(const char *);
static char *path(int area) { return text(area, 8, "//a.b"); }
TEST(basename) { char *s = path(0); same_place(model_basename(s), gnu_basename(s)); }
#define CUT(name) { DECLARE(name); char *s = path(0); prepare(); strcpy(ours, s); strcpy(theirs, s); char *a = model_##name(ours), *b = name(theirs); same(strcmp(a, b), 0); same_written(); }
TEST(__xpg_basename) CUT(__xpg_basename)
TEST(dirname) CUT(dirname)

TEST(htonl) { DECLARE(htonl); uint32_t x = bits(); same(model_htonl(x), (htonl)(x)); }
TEST(ntohl) { DECLARE(ntohl); uint32_t x = bits(); same(model_ntohl(x), (ntohl)(x)); }
TEST(htons) { DECLARE(htons); uint16_t x = bits(); same(model_htons(x), (htons)(x)); }
TEST(ntohs) { DECLARE(ntohs); uint16_t x = bits(); same(model_ntohs(x), (ntohs)(x)); }
static char *address_text(int area) { return text(area, 12, "0011259xfA.... "); }
/* Mostly addresses, and some with a character that does not fit. */
static char *some_address(char *to)
{
    int parts = 1 + pick(4) % 4, n = 0;
    for (int i = 0; i < (pick(4) ? 4 : parts); i++)
        n += sprintf(to + n, pick(8) ? "%s%u" : pick(2) ? "%s0x%x" : "%s0%o", i ? "." : "", (unsigned)pick(pick(9) ? 260 : 70000));
    if (pick(9) == 0)
        to[pick(n)] = "x. 9"[pick(4)];
    return to;
}
TEST(inet_aton) { DECLARE(inet_aton); char t[80]; const char *s = pick(2) ? address_text(0) : some_address(t); struct in_addr a = {7}, b = {7}; same(model_inet_aton(s, &a), inet_aton(s, &b)); same(a.s_addr, b.s_addr); }
TEST(inet_addr) { DECLARE(inet_addr); char t[80]; const char *s = pick(2) ? address_text(0) : some_address(t); same(model_inet_addr(s), inet_addr(s)); }
TEST(inet_pton) { DECLARE(inet_pton); char t[80]; const char *s = pick(2) ? address_text(0) : some_address(t); int family = pick(9) ? AF_INET : 77; unsigned a = 7, b = 7; same(MODEL(model_inet_pton(family, s, &a)), REAL(inet_pton(family, s, &b))); same(a, b); same_errno(); }
TEST(inet_ntop) { DECLARE(inet_ntop); unsigned from = bits(); int family = pick(9) ? AF_INET : 77; unsigned size = pick(20); prepare(); same_offset(MODEL(model_inet_ntop(family, &from, ours, size)), REAL(inet_ntop(family, &from, theirs, size))); same_written(); same_errno(); }
TEST(inet_ntoa) { DECLARE(inet_ntoa); struct in_addr from = {bits()}; char own[20]; strcpy(own, model_inet_ntoa(from)); same(strcmp(own, inet_ntoa(from)), 0); }

TEST(lsearch) { DECLARE(lsearch); size_t n = pick(20), m = n; char key = pick(40); int by_byte(const void *, const void *); prepare(); same_offset(model_lsearch(&key, ours, &n, 1, by_byte), lsearch(&key, theirs, &m, 1, by_byte)); same(n, m); same_written(); }
int by_byte(const void *a, const void *b) { return *(const char *)a - *(const char *)b; }

struct link { struct link *next, *before; };
static struct link our_links[6], their_links[6];
static void same_links(void)
{
    for (int i = 0; i < 6; i++) {
        same(our_links[i].next ? our_links[i].next - our_links : -1, their_links[i].next ? their_links[i].next - their_links : -1);
        same(our_links[i].before ? our_links[i].before - our_links : -1, their_links[i].before ? their_links[i].before - their_links : -1);
    }
}
static void chain(void)
{
    DECLARE(insque);
    for (int i = 0; i < 6; i++) {
        int after = i == 0 ? -1 : (int)pick(i);
        model_insque(our_links + i, after < 0 ? 0 : our_links + after);
        insque(their_links + i, after < 0 ? 0 : their_links + after);
    }
}
TEST(insque) { chain(); same_links(); }
TEST(remque) { DECLARE(remque); chain(); int i = pick(6); model_remque(our_links + i); remque(their_links + i); same_links(); }

#define SET(name) { DECLARE(name); sigset_t a, b; memset(&a, 5, sizeof a); b = a; int n = pick(4) ? pick(70) : (int)integer(); same(MODEL(model_##name(&a, n)), REAL(name(&b, n))); same_errno(); same_bytes(&a, &b, sizeof a); }
TEST(sigaddset) SET(sigaddset)
TEST(sigdelset) SET(sigdelset)
TEST(sigismember) SET(sigismember)
#define WHOLE(name) { DECLARE(name); sigset_t a, b; memset(&a, 5, sizeof a); b = a; same(model_##name(&a), name(&b)); same_bytes(&a, &b, 8); }
TEST(sigemptyset) WHOLE(sigemptyset)
TEST(sigfillset) WHOLE(sigfillset)

TEST(a64l) { DECLARE(a64l); char *s = text(0, 8, "./09AZaz-"); same((int)model_a64l(s), (int)a64l(s)); }
TEST(l64a) { DECLARE(l64a); long n = integer(); if ((int)n != 0) same(strcmp(model_l64a(n), l64a(n)), 0); }

#define SEEDED { DECLARE(srand48); long seed = integer(); model_srand48(seed); srand48(seed); }
TEST(srand48) { SEEDED DECLARE(mrand48); for (int i = 0; i < 3; i++) same(model_mrand48(), mrand48()); }
TEST(drand48) { SEEDED DECLARE(drand48); for (int i = 0; i < 3; i++) same_double(model_drand48(), drand48()); }
TEST(lrand48) { SEEDED DECLARE(lrand48); for (int i = 0; i < 3; i++) same(model_lrand48(), lrand48()); }
TEST(mrand48) { SEEDED DECLARE(mrand48); for (int i = 0; i < 3; i++) same(model_mrand48(), mrand48()); }
#define OWN(name, compare) { DECLARE(name); unsigned short a[3], b[3]; for (int i = 0; i < 3; i++) a[i] = b[i] = bits(); for (int i = 0; i < 3; i++) { compare(model_##name(a), name(b)); same_bytes(a, b, sizeof a); } }
TEST(erand48) OWN(erand48, same_double)
TEST(nrand48) OWN(nrand48, same)
TEST(jrand48) OWN(jrand48, same)
TEST(seed48)
{
    DECLARE(seed48);
    DECLARE(lrand48);
    SEEDED
    unsigned short words[3] = {bits(), bits(), bits()};
    same_bytes(model_seed48(words), seed48(words), 6);
    same(model_lrand48(), lrand48());
}
TEST(lcong48)
{
    DECLARE(lcong48);
    DECLARE(lrand48);
    unsigned short words[7];
    for (int i = 0; i < 7; i++)
        words[i] = bits();
    model_lcong48(words);
    lcong48(words);
    for (int i = 0; i < 3; i++)
        same(model_lrand48(), lrand48());
}

/* Wide numbers. */
static wchar_t *numeral(void)
{
    static const char *starts[] = {"", "0", "0x", "0X", "9223372036854775", "1844674407370955161", "-", " +"};
    static wchar_t made[ROOM];
    swprintf(made, ROOM, L"%s%ls", starts[pick(8)], wide_text(1, 8, "0123456789abzxg -"));
    return made;
}
#define PARSE(name)                                                                                                    \
    {                                                                                                                  \
        DECLARE(name);                                                                                                 \
        static const int bases[] = {0, 10, 16, 8, 2, 36, 1, -1, 37};                                                   \
        wchar_t *s = numeral(), *our_end = 0, *their_end = 0;                                                          \
        int base = bases[pick(9)];                                                                                     \
        same(MODEL(model_##name(s, &our_end, base)), REAL(name(s, &their_end, base)));                                 \
        same_errno();                                                                                                  \
        same_place(our_end, their_end);                                                                                \
    }
TEST(wcstol) PARSE(wcstol)
TEST(wcstoll) PARSE(wcstoll)
TEST(wcstoul) PARSE(wcstoul)
TEST(wcstoull) PARSE(wcstoull)
TEST(wcstoimax) PARSE(wcstoimax)
TEST(wcstoumax) PARSE(wcstoumax)

/* Characters of several bytes: ASCII's. */
#define ASCII "ab \tz,-9"
TEST(mblen) { DECLARE(mblen); char *s = text(0, 2, ASCII); size_t n = *s + pick(2) == 0 ? 1 : pick(strlen(s) + 1) + (*s == 0); same(model_mblen(s, n), mblen(s, n)); }
TEST(mbtowc) { DECLARE(mbtowc); char *s = text(0, 2, ASCII); size_t n = *s + pick(2) == 0 ? 1 : pick(strlen(s) + 1) + (*s == 0); prepare(); same(model_mbtowc(our_wide, s, n), mbtowc(their_wide, s, n)); same_written(); }
TEST(wctomb) { DECLARE(wctomb); wchar_t c = pick(128); prepare(); same(model_wctomb(ours, c), wctomb(theirs, c)); same_written(); }
TEST(mbrtowc) { DECLARE(mbrtowc); mbstate_t a = {0}, b = {0}; char *s = text(0, 2, ASCII); size_t n = pick(strlen(s) + 2); prepare(); same(model_mbrtowc(our_wide, s, n, &a), mbrtowc(their_wide, s, n, &b)); same_written(); }
TEST(mbrlen) { DECLARE(mbrlen); mbstate_t a = {0}, b = {0}; char *s = text(0, 2, ASCII); size_t n = pick(strlen(s) + 2); same(model_mbrlen(s, n, &a), mbrlen(s, n, &b)); }
TEST(wcrtomb) { DECLARE(wcrtomb); mbstate_t a = {0}, b = {0}; wchar_t c = pick(128); prepare(); same(model_wcrtomb(ours, c, &a), wcrtomb(theirs, c, &b)); same_written(); }
TEST(mbsinit) { DECLARE(mbsinit); mbstate_t a = {0}; same_truth(model_mbsinit(&a), mbsinit(&a)); }
TEST(mbstowcs) { DECLARE(mbstowcs); char *s = text(0, 20, ASCII); size_t n = pick(30); int none = pick(4) == 0; prepare(); same(model_mbstowcs(none ? 0 : our_wide, s, n), mbstowcs(none ? 0 : their_wide, s, n)); same_written(); }
TEST(wcstombs) { DECLARE(wcstombs); wchar_t *s = wide_text(0, 20, ASCII); size_t n = pick(30); int none = pick(4) == 0; prepare(); same(model_wcstombs(none ? 0 : ours, s, n), wcstombs(none ? 0 : theirs, s, n)); same_written(); }
TEST(mbsrtowcs) { DECLARE(mbsrtowcs); mbstate_t a = {0}, b = {0}; const char *s = text(0, 20, ASCII), *t = s; size_t n = pick(30); int none = pick(4) == 0; prepare(); same(model_mbsrtowcs(none ? 0 : our_wide, &s, n, &a), mbsrtowcs(none ? 0 : their_wide, &t, n, &b)); same_place(s, t); same_written(); }
TEST(wcsrtombs) { DECLARE(wcsrtombs); mbstate_t a = {0}, b = {0}; const wchar_t *s = wide_text(0, 20, ASCII), *t = s; size_t n = pick(30); int none = pick(4) == 0; prepare(); same(model_wcsrtombs(none ? 0 : ours, &s, n, &a), wcsrtombs(none ? 0 : theirs, &t, n, &b)); same_place(s, t); same_written(); }
TEST(__ctype_get_mb_cur_max) { DECLARE(__ctype_get_mb_cur_max); same(model___ctype_get_mb_cur_max(), __ctype_get_mb_cur_max()); }
TEST(__ctype_tolower_loc) { DECLARE(__ctype_tolower_loc); int c = (int)pick(384) - 128; same((*model___ctype_tolower_loc())[c], (*__ctype_tolower_loc())[c]); }
TEST(__ctype_toupper_loc) { DECLARE(__ctype_toupper_loc); int c = (int)pick(384) - 128; same((*model___ctype_toupper_loc())[c], (*__ctype_toupper_loc())[c]); }

/* Calendars. */
static void same_time(const struct tm *a, const struct tm *b)
{
    if (a == 0 || b == 0) {
        same(a != 0, b != 0);
        return;
    }
    same(a->tm_sec, b->tm_sec);
    same(a->tm_min, b->tm_min);
    same(a->tm_hour, b->tm_hour);
    same(a->tm_mday, b->tm_mday);
    same(a->tm_mon, b->tm_mon);
    same(a->tm_year, b->tm_year);
    same(a->tm_wday, b->tm_wday);
    same(a->tm_yday, b->tm_yday);
    same(a->tm_isdst, b->tm_isdst);
}
static long moment(void) { return pick(3) ? (long)pick(8000000000) - 4000000000 : (long)integer(); }
static struct tm fields(void)
{
    int large = pick(4) == 0;
#define FIELD(most) (large ? (int)integer() : (int)pick(2 * (most)) - (most) / 2)
    struct tm t = {FIELD(60), FIELD(60), FIELD(24), FIELD(31), FIELD(12), FIELD(200), 0, 0, 0};
    return t;
}
TEST(gmtime_r) { DECLARE(gmtime_r); struct tm a, b; long t = moment(); same_time(MODEL(model_gmtime_r(&t, &a)), REAL(gmtime_r(&t, &b))); same_errno(); }
TEST(gmtime) { DECLARE(gmtime); long t = moment(); same_time(model_gmtime(&t), gmtime(&t)); }
TEST(timegm) { DECLARE(timegm); struct tm a = fields(), b = a; same(MODEL(model_timegm(&a)), REAL(timegm(&b))); same_errno(); same_time(&a, &b); }
static struct tm shown(void) { long t = moment(); struct tm a; gmtime_r(&t, &a); a.tm_year = (int)pick(8000) - 900; return a; }
TEST(asctime_r) { DECLARE(asctime_r); struct tm t = shown(); prepare(); same_offset(model_asctime_r(&t, ours), asctime_r(&t, theirs)); same_written(); }
TEST(asctime) { DECLARE(asctime); struct tm t = shown(); same(strcmp(model_asctime(&t), asctime(&t)), 0); }
TEST(difftime) { DECLARE(difftime); long a = integer() >> 12, b = integer() >> 12; same_double(model_difftime(a, b), difftime(a, b)); }
TEST(localeconv) { DECLARE(localeconv); struct lconv *a = model_localeconv(), *b = localeconv(); same(strcmp(a->decimal_point, b->decimal_point), 0); same_bytes(&a->int_frac_digits, &b->int_frac_digits, 14); }
TEST(memfrob) { DECLARE(memfrob); size_t n = pick(ROOM); prepare(); same_offset(model_memfrob(ours, n), memfrob(theirs, n)); same_written(); }

/* Command lines. */
extern char *model_optarg;
extern int model_optind, model_optopt, model_opterr;
DECLARE(getopt);
DECLARE(getopt_long);
DECLARE(getopt_long_only);
static void options(int kind)
{
    static int flag;
    static const struct option longs[] = {{"all", no_argument, 0, 'A'}, {"alp", required_argument, 0, 'P'}, {"bet", optional_argument, 0, 'B'}, {"ba", no_argument, &flag, 7}, {0}};
    static const char *words[] = {"-a", "-b", "-ab", "-c", "-cx", "x", "y", "-", "--", "-bc", "-d", "-dz", "-z", "-:", "--all", "--al", "--alp", "--alp=3", "--bet=", "--bet", "--b", "--nix", "-all", "-alp", "--all=1", "-bet"};
    static const char *sets[] = {"abc:d::", ":abc:d::", "+abc:d::", "-abc:d::", "-:abc:d::", "", "+:ab"};
    char *our_arguments[10], *their_arguments[10];
    int count = 1 + pick(8);
    our_arguments[0] = their_arguments[0] = "program";
    for (int i = 1; i < count; i++)
        our_arguments[i] = their_arguments[i] = (char *)words[pick(sizeof words / sizeof *words)];
    our_arguments[count] = their_arguments[count] = 0;
    const char *set = sets[pick(7)];
    model_optind = optind = 0;
    model_opterr = opterr = 0;
    for (int i = 0; i < 20; i++) {
        int our_index = -5, their_index = -5, a, b;
        if (kind == 0) {
            a = model_getopt(count, our_arguments, set);
            b = getopt(count, their_arguments, set);
        } else if (kind == 1) {
            a = model_getopt_long(count, our_arguments, set, longs, &our_index);
            b = getopt_long(count, their_arguments, set, longs, &their_index);
        } else {
            a = model_getopt_long_only(count, our_arguments, set, longs, &our_index);
            b = getopt_long_only(count, their_arguments, set, longs, &their_index);
        }
        same(a, b);
        same(model_optind, optind);
        if (b == '?' || b == ':')
            same(model_optopt, optopt);
        same(our_index, their_index);
        same_place(model_optarg, optarg);
        if (a == -1 || b == -1 || a != b)
            break;
    }
    for (int i = 0; i < count; i++)
        same_place(our_arguments[i], their_arguments[i]);
}
TEST(getopt) { options(0); }
TEST(getopt_long) { options(1); }
TEST(getopt_long_only) { options(2); }
