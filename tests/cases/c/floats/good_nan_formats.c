//! verdict: true
//! decided-by: auto
//! model: lp64
// A NaN that an operation gives is quiet, and keeps its sign in another format.
#include <assert.h>
#include <math.h>
#include <string.h>
#include <stdlib.h>
#include <stdint.h>
extern double __VERIFIER_nondet_double(void); extern float __VERIFIER_nondet_float(void); extern int __VERIFIER_nondet_int(void);
union d { double d; uint64_t u; }; union f { float f; uint32_t u; };
static uint64_t bits(double x) { uint64_t u; memcpy(&u, &x, 8); return u; }

int main(void){ volatile double z=0; double a=z/z; assert((bits(a) >> 52 & 0x7ff) == 0x7ff && (bits(a) & 0x8000000000000u)); float f = (float)a; uint32_t u; memcpy(&u,&f,4); assert((u >> 31) == (bits(a) >> 63)); }
