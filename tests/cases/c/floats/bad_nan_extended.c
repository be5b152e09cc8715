//! verdict: false(unreach-call)
//! decided-by: auto
//! model: lp64
// The sign of a NaN is not known, of a long double neither.
#include <assert.h>
#include <math.h>
#include <string.h>
#include <stdlib.h>
#include <stdint.h>
extern double __VERIFIER_nondet_double(void); extern float __VERIFIER_nondet_float(void); extern int __VERIFIER_nondet_int(void);
union d { double d; uint64_t u; }; union f { float f; uint32_t u; };
static uint64_t bits(double x) { uint64_t u; memcpy(&u, &x, 8); return u; }

int main(void){ volatile long double z=0; union { long double l; uint64_t u[2]; } x; x.l = z/z; assert(x.u[0] == 0xc000000000000000u && (x.u[1] & 0xffff) == 0x7fff); }
