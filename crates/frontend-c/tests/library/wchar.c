/* Functions of wchar.h. */

#include "harness.h"

TEST(wcslen) { DECLARE(wcslen); wchar_t *s = wide_text(0, 20, SOME); same(model_wcslen(s), wcslen(s)); }
TEST(wcsnlen) { DECLARE(wcsnlen); wchar_t *s = wide_text(0, 20, SOME); size_t n = pick(25); same(model_wcsnlen(s, n), wcsnlen(s, n)); }
#define COPY(name) { DECLARE(name); wchar_t *s = wide_text(0, 20, SOME); prepare(); same_offset(model_##name(our_wide, s), name(their_wide, s)); same_written(); }
TEST(wcscpy) COPY(wcscpy)
TEST(wcpcpy) COPY(wcpcpy)
#define COPY_N(name) { DECLARE(name); wchar_t *s = wide_text(0, 20, SOME); size_t n = pick(40); prepare(); same_offset(model_##name(our_wide, s, n), name(their_wide, s, n)); same_written(); }
TEST(wcsncpy) COPY_N(wcsncpy)
TEST(wcpncpy) COPY_N(wcpncpy)
#define END { size_t at = pick(20); our_wide[at] = their_wide[at] = 0; }
TEST(wcscat) { DECLARE(wcscat); wchar_t *s = wide_text(0, 20, SOME); prepare(); END same_offset(model_wcscat(our_wide, s), wcscat(their_wide, s)); same_written(); }
TEST(wcsncat) { DECLARE(wcsncat); wchar_t *s = wide_text(0, 20, SOME); size_t n = pick(25); prepare(); END same_offset(model_wcsncat(our_wide, s, n), wcsncat(their_wide, s, n)); same_written(); }

static wchar_t *other(const wchar_t *a)
{
    wchar_t *b = wide_text(1, 8, LETTERS);
    if (pick(2)) {
        b = block(1, (wcslen(a) + 1) * sizeof(wchar_t));
        wcscpy(b, a);
        if (*b && pick(2))
            b[pick(wcslen(b))] = pick(2) ? 'A' : -5;
    }
    return b;
}
#define ORDER(name) { DECLARE(name); wchar_t *a = wide_text(0, 8, LETTERS), *b = other(a); same_sign(model_##name(a, b), name(a, b)); }
TEST(wcscmp) ORDER(wcscmp)
TEST(wcscasecmp) ORDER(wcscasecmp)
TEST(wcscoll) ORDER(wcscoll)
#define ORDER_N(name) { DECLARE(name); wchar_t *a = wide_text(0, 8, LETTERS), *b = other(a); size_t n = pick(10); same_sign(model_##name(a, b, n), name(a, b, n)); }
TEST(wcsncmp) ORDER_N(wcsncmp)
TEST(wcsncasecmp) ORDER_N(wcsncasecmp)
#define FIND(name) { DECLARE(name); wchar_t *s = wide_text(0, 20, LETTERS); wchar_t c = pick(3) ? LETTERS[pick(5)] : (int)bits(); same_place(model_##name(s, c), name(s, c)); }
TEST(wcschr) FIND(wcschr)
TEST(wcsrchr) FIND(wcsrchr)
TEST(wcschrnul) FIND(wcschrnul)
#define PART(name) { DECLARE(name); wchar_t *s = wide_text(0, 20, LETTERS), *part = wide_text(1, 3, LETTERS); same_place(model_##name(s, part), name(s, part)); }
TEST(wcsstr) PART(wcsstr)
TEST(wcspbrk) PART(wcspbrk)
#define SPAN(name) { DECLARE(name); wchar_t *s = wide_text(0, 20, LETTERS), *set = wide_text(1, 4, LETTERS); same(model_##name(s, set), name(s, set)); }
TEST(wcsspn) SPAN(wcsspn)
TEST(wcscspn) SPAN(wcscspn)
TEST(wcsdup)
{
    DECLARE(wcsdup);
    wchar_t *s = wide_text(0, 20, SOME), *a = model_wcsdup(s), *b = wcsdup(s);
    same(wcslen(a), wcslen(b));
    same_bytes(a, b, (wcslen(b) + 1) * sizeof *b);
    free(a);
    free(b);
}
TEST(wcstok)
{
    DECLARE(wcstok);
    wchar_t *our_rest = 0, *their_rest = 0, *separators = wide_text(1, 2, LETTERS), *s = wide_text(0, 30, LETTERS);
    prepare();
    wcscpy(our_wide, s);
    wcscpy(their_wide, s);
    wchar_t *a = model_wcstok(our_wide, separators, &our_rest), *b = wcstok(their_wide, separators, &their_rest);
    for (int i = 0; i < 5; i++) {
        same_offset(a, b);
        same_written();
        separators = wide_text(1, 2, LETTERS);
        a = model_wcstok(0, separators, &our_rest);
        b = wcstok(0, separators, &their_rest);
    }
}
#define BLOCKS(name) { DECLARE(name); size_t n = pick(12); wchar_t *s = block(0, n * sizeof *s); prepare(); same_offset(model_##name(our_wide, s, n), name(their_wide, s, n)); same_written(); }
TEST(wmemcpy) BLOCKS(wmemcpy)
TEST(wmempcpy) BLOCKS(wmempcpy)
TEST(wmemmove) { DECLARE(wmemmove); size_t n = pick(20), to = pick(20), from = pick(20); prepare(); same_offset(model_wmemmove(our_wide + to, our_wide + from, n), wmemmove(their_wide + to, their_wide + from, n)); same_written(); }
TEST(wmemset) { DECLARE(wmemset); size_t n = pick(ROOM); wchar_t c = bits(); prepare(); same_offset(model_wmemset(our_wide, c, n), wmemset(their_wide, c, n)); same_written(); }
TEST(wmemcmp) { DECLARE(wmemcmp); size_t n = pick(12); wchar_t *a = block(0, n * sizeof *a), *b = block(1, n * sizeof *a); if (pick(2)) wmemcpy(a, b, n); if (n && pick(2)) a[pick(n)] = bits(); same_sign(model_wmemcmp(a, b, n), wmemcmp(a, b, n)); }
TEST(wmemchr) { DECLARE(wmemchr); size_t n = pick(20); wchar_t *s = block(0, n * sizeof *s); wchar_t c = n && pick(2) ? s[pick(n)] : (int)bits(); same_place(model_wmemchr(s, c, n), wmemchr(s, c, n)); }
TEST(btowc) { DECLARE(btowc); int c = pick(4) ? (int)pick(300) - 1 : (int)bits(); same(model_btowc(c), btowc(c)); }
TEST(wctob) { DECLARE(wctob); wint_t c = pick(4) ? pick(300) : (wint_t)bits(); same(model_wctob(c), wctob(c)); }
