/* Functions of string.h and strings.h. */

#include "harness.h"

size_t model_strlcpy(char *, const char *, size_t), model_strlcat(char *, const char *, size_t);

TEST(strlen) { DECLARE(strlen); char *s = text(0, 20, SOME); same(model_strlen(s), strlen(s)); }
TEST(strnlen) { DECLARE(strnlen); char *s = text(0, 20, SOME); size_t n = pick(25); same(model_strnlen(s, n), strnlen(s, n)); }

#define COPY(name) { DECLARE(name); char *s = text(0, 20, SOME); prepare(); same_offset(model_##name(ours, s), name(theirs, s)); same_written(); }
TEST(strcpy) COPY(strcpy)
TEST(stpcpy) COPY(stpcpy)

#define COPY_N(name) { DECLARE(name); char *s = text(0, 20, SOME); size_t n = pick(40); prepare(); same_offset(model_##name(ours, s, n), name(theirs, s, n)); same_written(); }
TEST(strncpy) COPY_N(strncpy)
TEST(stpncpy) COPY_N(stpncpy)

#define BEGIN() prepare(); { size_t at = pick(20); ours[at] = theirs[at] = 0; our_wide[at] = their_wide[at] = 0; }
TEST(strcat) { DECLARE(strcat); char *s = text(0, 20, SOME); BEGIN() same_offset(model_strcat(ours, s), strcat(theirs, s)); same_written(); }
TEST(strncat) { DECLARE(strncat); char *s = text(0, 20, SOME); size_t n = pick(25); BEGIN() same_offset(model_strncat(ours, s, n), strncat(theirs, s, n)); same_written(); }

/* This library has none of its own: what OpenBSD says of them. */
TEST(strlcpy)
{
    char *s = text(0, 20, SOME);
    size_t n = pick(30), length = strlen(s);
    prepare();
    if (n > 0)
        snprintf(theirs, n, "%s", s);
    same(model_strlcpy(ours, s, n), length);
    same_written();
}

TEST(strlcat)
{
    char *s = text(0, 20, SOME);
    size_t n = pick(40);
    BEGIN()
    size_t end = strnlen(theirs, n);
    if (end < n)
        snprintf(theirs + end, n - end, "%s", s);
    same(model_strlcat(ours, s, n), end + strlen(s));
    same_written();
}

/* Often the same, often with a common start. */
static char *other(const char *a)
{
    char *b = text(1, 8, LETTERS "\xe4");
    if (pick(2)) {
        b = block(1, strlen(a) + 1);
        strcpy(b, a);
        if (*b && pick(2))
            b[pick(strlen(b))] = "aAb\xff"[pick(4)];
    }
    return b;
}
#define ORDER(name) { DECLARE(name); char *a = text(0, 8, LETTERS "\xe4"), *b = other(a); same_sign(model_##name(a, b), name(a, b)); }
TEST(strcmp) ORDER(strcmp)
TEST(strcasecmp) ORDER(strcasecmp)
TEST(strcoll) ORDER(strcoll)
#define ORDER_N(name) { DECLARE(name); char *a = text(0, 8, LETTERS "\xe4"), *b = other(a); size_t n = pick(10); same_sign(model_##name(a, b, n), name(a, b, n)); }
TEST(strncmp) ORDER_N(strncmp)
TEST(strncasecmp) ORDER_N(strncasecmp)

#define FIND(name) { DECLARE(name); char *s = text(0, 20, SOME); int c = pick(3) ? SOME[pick(sizeof SOME)] : (int)bits(); same_place(model_##name(s, c), name(s, c)); }
TEST(strchr) FIND(strchr)
TEST(strrchr) FIND(strrchr)
TEST(strchrnul) FIND(strchrnul)
TEST(index) FIND(index)
TEST(rindex) FIND(rindex)

#define PART(name) { DECLARE(name); char *s = text(0, 20, LETTERS), *part = text(1, 3, LETTERS); same_place(model_##name(s, part), name(s, part)); }
TEST(strstr) PART(strstr)
TEST(strcasestr) PART(strcasestr)
TEST(strpbrk) PART(strpbrk)
#define SPAN(name) { DECLARE(name); char *s = text(0, 20, LETTERS), *set = text(1, 4, LETTERS); same(model_##name(s, set), name(s, set)); }
TEST(strspn) SPAN(strspn)
TEST(strcspn) SPAN(strcspn)

static void same_copies(char *model, char *real)
{
    same(strlen(model), strlen(real));
    same_bytes(model, real, strlen(real) + 1);
    free(model);
    free(real);
}
TEST(strdup) { DECLARE(strdup); char *s = text(0, 20, SOME); same_copies(model_strdup(s), strdup(s)); }
TEST(strndup) { DECLARE(strndup); char *s = text(0, 20, SOME); size_t n = pick(25); same_copies(model_strndup(s, n), strndup(s, n)); }

#define BLOCKS(name) { DECLARE(name); size_t n = pick(12); char *a = block(0, n), *b = block(1, n); if (pick(2)) memcpy(a, b, n); if (n && pick(2)) a[pick(n)] ^= pick(256); same_sign(model_##name(a, b, n), name(a, b, n)); }
TEST(memcmp) BLOCKS(memcmp)
TEST(bcmp) { DECLARE(bcmp); size_t n = pick(12); char *a = block(0, n), *b = block(1, n); if (pick(2)) memcpy(a, b, n); same_truth(model_bcmp(a, b, n), bcmp(a, b, n)); }
#define FIND_IN(name) { DECLARE(name); size_t n = pick(20); char *s = block(0, n); int c = pick(2) ? 'a' : (int)bits(); same_place(model_##name(s, c, n), name(s, c, n)); }
TEST(memchr) FIND_IN(memchr)
TEST(memrchr) FIND_IN(memrchr)
TEST(rawmemchr) { DECLARE(rawmemchr); size_t n = 1 + pick(20); char *s = block(0, n); s[pick(n)] = 'a'; same_place(model_rawmemchr(s, 'a' + 256), rawmemchr(s, 'a' + 256)); }
TEST(memmem)
{
    DECLARE(memmem);
    size_t n = pick(20), m = pick(4);
    char *s = block(0, n), *part = block(1, m);
    same_place(model_memmem(s, n, part, m), memmem(s, n, part, m));
}
TEST(memccpy)
{
    DECLARE(memccpy);
    size_t n = pick(20);
    char *s = block(0, n);
    int c = pick(2) ? 'a' : (int)bits();
    prepare();
    same_offset(model_memccpy(ours, s, c, n), memccpy(theirs, s, c, n));
    same_written();
}
TEST(explicit_bzero) { DECLARE(explicit_bzero); size_t n = pick(ROOM); prepare(); model_explicit_bzero(ours, n); explicit_bzero(theirs, n); same_written(); }
void swab(const void *, void *, ssize_t);
TEST(swab) { DECLARE(swab); long n = (long)pick(22) - 1; char *s = block(0, n < 0 ? 0 : n); prepare(); model_swab(s, ours, n); swab(s, theirs, n); same_written(); }
TEST(strxfrm)
{
    DECLARE(strxfrm);
    char *s = text(0, 20, SOME);
    size_t n = pick(30), length = strlen(s);
    prepare();
    same(model_strxfrm(ours, s, n), strxfrm(theirs, s, n));
    if (length < n)
        same_bytes(ours, theirs, length + 1);
}
TEST(ffs) { DECLARE(ffs); int x = integer(); same(model_ffs(x), ffs(x)); }
TEST(ffsl) { DECLARE(ffsl); long x = integer(); same(model_ffsl(x), ffsl(x)); }
TEST(ffsll) { DECLARE(ffsll); long x = integer(); same(model_ffsll(x), ffsll(x)); }

#define CUT { char *s = text(0, 30, LETTERS); strcpy(ours, s); strcpy(theirs, s); }
TEST(strtok_r)
{
    DECLARE(strtok_r);
    char *our_rest = 0, *their_rest = 0, *separators = text(1, 2, LETTERS);
    prepare();
    CUT
    char *a = model_strtok_r(ours, separators, &our_rest), *b = strtok_r(theirs, separators, &their_rest);
    for (int i = 0; i < 5; i++) {
        same_offset(a, b);
        same_offset(our_rest, their_rest);
        same_written();
        separators = text(1, 2, LETTERS);
        a = model_strtok_r(0, separators, &our_rest);
        b = strtok_r(0, separators, &their_rest);
    }
}
TEST(strtok)
{
    DECLARE(strtok);
    char *separators = text(1, 2, LETTERS);
    prepare();
    CUT
    char *a = model_strtok(ours, separators), *b = strtok(theirs, separators);
    for (int i = 0; i < 5; i++) {
        same_offset(a, b);
        same_written();
        separators = text(1, 2, LETTERS);
        a = model_strtok(0, separators);
        b = strtok(0, separators);
    }
}
TEST(strsep)
{
    DECLARE(strsep);
    prepare();
    CUT
    char *a = ours, *b = theirs;
    for (int i = 0; i < 5; i++) {
        char *separators = text(1, 2, LETTERS);
        same_offset(model_strsep(&a, separators), strsep(&b, separators));
        same_offset(a, b);
        same_written();
    }
}
