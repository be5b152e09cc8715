/* Functions of math.h whose models are written in C. */

#include "harness.h"
#include <math.h>

#define PARTS(name, type, draw, compare)                                                                               \
    {                                                                                                                  \
        DECLARE(name);                                                                                                 \
        type x = draw(), our_whole, their_whole;                                                                       \
        compare(model_##name(x, &our_whole), name(x, &their_whole));                                                   \
        compare(our_whole, their_whole);                                                                               \
    }
TEST(modf) PARTS(modf, double, number, same_double)
TEST(modff) PARTS(modff, float, narrow, same_double)
TEST(modfl) PARTS(modfl, long double, number, same_long_double)
#define NEXT(name, draw) { DECLARE(name); double x = draw(), y = pick(3) ? draw() : x; same_double(MODEL(model_##name(x, y)), REAL(name(x, y))); if (x != 0) same_errno(); }
TEST(nextafter) NEXT(nextafter, number)
TEST(nextafterf) NEXT(nextafterf, narrow)
#define SPLIT(name, draw)                                                                                              \
    {                                                                                                                  \
        DECLARE(name);                                                                                                 \
        double x = draw();                                                                                             \
        int our_exponent, their_exponent;                                                                              \
        same_double(model_##name(x, &our_exponent), name(x, &their_exponent));                                         \
        if (isfinite(x))                                                                                               \
            same(our_exponent, their_exponent);                                                                        \
    }
TEST(frexp) SPLIT(frexp, number)
TEST(frexpf) SPLIT(frexpf, narrow)
#define EXPONENT(name, draw, compare) { DECLARE(name); double x = draw(); compare(MODEL(model_##name(x)), REAL(name(x))); if (x != 0 || their_errno != 0) same_errno(); }
TEST(ilogb) EXPONENT(ilogb, number, same)
TEST(ilogbf) EXPONENT(ilogbf, narrow, same)
TEST(logb) EXPONENT(logb, number, same_double)
TEST(logbf) EXPONENT(logbf, narrow, same_double)
#define SCALE(name, draw)                                                                                              \
    {                                                                                                                  \
        DECLARE(name);                                                                                                 \
        double x = draw();                                                                                             \
        int n = pick(2) ? (int)pick(400) - 200 : pick(2) ? (int)pick(5000) - 2500 : (int)integer();                    \
        same_double(MODEL(model_##name(x, n)), REAL(name(x, n)));                                                      \
        same_errno();                                                                                                  \
    }
TEST(scalbn) SCALE(scalbn, number)
TEST(scalbnf) SCALE(scalbnf, narrow)
TEST(ldexp) SCALE(ldexp, number)
TEST(ldexpf) SCALE(ldexpf, narrow)
TEST(scalbln) SCALE(scalbln, number)
TEST(scalblnf) SCALE(scalblnf, narrow)
TEST(nan) { DECLARE(nan); same_double(model_nan(""), nan("")); }
