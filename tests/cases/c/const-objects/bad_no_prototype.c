//! property: valid-deref
//! verdict: false(valid-deref)
//! decided-by: auto
//! model: lp64
int f(a,b) int*a; int b; { *a=b; return 0; }
int main(){ const int c=1; f(&c,2); return 0; }
