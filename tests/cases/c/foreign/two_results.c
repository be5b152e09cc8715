//! verdict: false(unreach-call)
//! decided-by: auto
//! arguments: --missing-bodies pure
// Results of one function may be the same pointer.
extern int *get(void);
void reach_error(void);
void f(int *p, int *q) { if (p == 0 || q == 0) return;  *p = 1; *q = 2; if (*p != 1) reach_error(); }
int main(int argc, char **argv) {
  int *a, *b;
  a = get(); b = get();
  f(a, b);
  return 0;
}
