//! verdict: false(unreach-call)
// A pointer to different fields of objects that are not told apart.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
struct S { int a; int b; int c; };
struct S A, B, C, D, E, F, G, H;
int main(void) {
    struct S *all[8] = {&A, &B, &C, &D, &E, &F, &G, &H};
    int i = __VERIFIER_nondet_int();
    if (i < 0 || i >= 8) return 0;
    all[i]->a = 1;
    all[i]->c = 1;
    int n = __VERIFIER_nondet_int();
    int *p = n == 123456 ? &A.a : &B.c;
    *p = 5;
    if (A.a == 5) reach_error();
    return 0;
}
