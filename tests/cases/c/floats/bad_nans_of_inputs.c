//! verdict: false(unreach-call)
//! decided-by: auto
//! model: lp64
// Two inputs that are NaNs may have different bits.
#include <assert.h>
#include <math.h>
#include <string.h>
#include <stdlib.h>
#include <stdint.h>
extern double __VERIFIER_nondet_double(void); extern float __VERIFIER_nondet_float(void); extern int __VERIFIER_nondet_int(void);
union d { double d; uint64_t u; }; union f { float f; uint32_t u; };
static uint64_t bits(double x) { uint64_t u; memcpy(&u, &x, 8); return u; }

int main(void){ double x = __VERIFIER_nondet_double(), y = __VERIFIER_nondet_double(); if (x == x || y == y) return 0; assert(bits(x) == bits(y)); }
