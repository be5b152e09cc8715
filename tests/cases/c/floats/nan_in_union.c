//! verdict: false(unreach-call)
//! decided-by: auto
//! model: lp64
// The sign of a NaN is not known, also where a union holds the float in a struct.
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);
struct S {float f;} ; union U { struct S a; unsigned i; };
int main(){ union U u; float z=0.0f; float d=(float)__VERIFIER_nondet_double(); u.a.f = d/z; if (u.a.f!=u.a.f) { if (u.i>>31) reach_error(); } return 0;}
