/* Functions of ctype.h and wctype.h. */

#include "harness.h"

/* What they take: the end of input, or a character. */
#define CLASS(name) { DECLARE(name); int c = (int)pick(257) - 1; same_truth(model_##name(c), (name)(c)); }
TEST(isalnum) CLASS(isalnum)
TEST(isalpha) CLASS(isalpha)
TEST(isblank) CLASS(isblank)
TEST(iscntrl) CLASS(iscntrl)
TEST(isdigit) CLASS(isdigit)
TEST(isgraph) CLASS(isgraph)
TEST(islower) CLASS(islower)
TEST(isprint) CLASS(isprint)
TEST(ispunct) CLASS(ispunct)
TEST(isspace) CLASS(isspace)
TEST(isupper) CLASS(isupper)
TEST(isxdigit) CLASS(isxdigit)
TEST(isascii) CLASS(isascii)
#define MAP(name) { DECLARE(name); int c = (int)pick(257) - 1; same(model_##name(c), (name)(c)); }
TEST(tolower) MAP(tolower)
TEST(toupper) MAP(toupper)
TEST(toascii) MAP(toascii)
TEST(__ctype_b_loc) { DECLARE(__ctype_b_loc); int c = (int)pick(384) - 128; same((*model___ctype_b_loc())[c], (*__ctype_b_loc())[c]); }

#define WIDE_CLASS(name) { DECLARE(name); wint_t c = pick(4) ? pick(300) : (wint_t)bits(); same_truth(model_##name(c), (name)(c)); }
TEST(iswalnum) WIDE_CLASS(iswalnum)
TEST(iswalpha) WIDE_CLASS(iswalpha)
TEST(iswblank) WIDE_CLASS(iswblank)
TEST(iswcntrl) WIDE_CLASS(iswcntrl)
TEST(iswdigit) WIDE_CLASS(iswdigit)
TEST(iswgraph) WIDE_CLASS(iswgraph)
TEST(iswlower) WIDE_CLASS(iswlower)
TEST(iswprint) WIDE_CLASS(iswprint)
TEST(iswpunct) WIDE_CLASS(iswpunct)
TEST(iswspace) WIDE_CLASS(iswspace)
TEST(iswupper) WIDE_CLASS(iswupper)
TEST(iswxdigit) WIDE_CLASS(iswxdigit)
#define WIDE_MAP(name) { DECLARE(name); wint_t c = pick(4) ? pick(300) : (wint_t)bits(); same(model_##name(c), (name)(c)); }
TEST(towlower) WIDE_MAP(towlower)
TEST(towupper) WIDE_MAP(towupper)
