//! verdict: true
//! decided-by: auto
//! model: lp64
// In a global variable, too.
#include <assert.h>
#include <math.h>
#include <string.h>
#include <stdlib.h>
#include <stdint.h>
extern double __VERIFIER_nondet_double(void); extern float __VERIFIER_nondet_float(void); extern int __VERIFIER_nondet_int(void);
union d { double d; uint64_t u; }; union f { float f; uint32_t u; };
static uint64_t bits(double x) { uint64_t u; memcpy(&u, &x, 8); return u; }

double g; void set(double x){ g = x; } double get(void){ return g; } int main(void){ volatile double z=0; set(z/z); double a = get(); set(a); assert(bits(a) == bits(get())); for (int i=0;i<3;i++) set(get()); assert(bits(a)==bits(g)); }
