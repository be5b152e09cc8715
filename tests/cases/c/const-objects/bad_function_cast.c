//! property: valid-deref
//! verdict: false(valid-deref)
//! decided-by: auto
//! model: lp64
static void f(int*p){*p=2;}
int main(){ const int c=1; ((void(*)(const int*))f)(&c); return 0;}
