//! verdict: true
//! decided-by: auto
//! model: lp64
// Copies keep the bits of a NaN.
#include <assert.h>
#include <math.h>
#include <string.h>
#include <stdlib.h>
#include <stdint.h>
extern double __VERIFIER_nondet_double(void); extern float __VERIFIER_nondet_float(void); extern int __VERIFIER_nondet_int(void);
union d { double d; uint64_t u; }; union f { float f; uint32_t u; };
static uint64_t bits(double x) { uint64_t u; memcpy(&u, &x, 8); return u; }

static double id(double x){ return x; } int main(void){ double x = __VERIFIER_nondet_double(); assert(bits(id(x)) == bits(x)); double y = __VERIFIER_nondet_int() ? x : id(x); assert(bits(y)==bits(x)); struct { double a; int k; } s = {x, 1}, t = s; assert(bits(t.a) == bits(x)); }
