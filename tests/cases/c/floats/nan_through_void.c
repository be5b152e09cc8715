//! verdict: false(unreach-call)
//! decided-by: auto
//! model: lp64
// The sign of a NaN is not known, also where its bytes are seen through void.
extern void reach_error(void);
extern float __VERIFIER_nondet_float(void);
static unsigned bits(const void*p){const unsigned char*b=p; return b[3];}
int main(){ float z=__VERIFIER_nondet_float(); float q=z-z; if (q==q) return 0; if (bits(&q)>>7) reach_error(); return 0;}
