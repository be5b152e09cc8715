//! verdict: false(unreach-call)
//! decided-by: auto, predicate
// What is stored through p may be stored in either pointer.
extern void __VERIFIER_error(void);
extern int __VERIFIER_nondet_int(void);
int a, b;
int *x = &a, *y = &a;
int main(void) {
  int **p = __VERIFIER_nondet_int() ? &x : &y;
  int **q = p == &x ? &x : &y;
  *q = &b;
  *x = 1;
  int seen = b;
  b = 0;
  *y = 1;
  if (seen + b == 0) return 0;
  if (a == 0) __VERIFIER_error();
  if (seen == 0 && y == &b) __VERIFIER_error();
  return 0;
}
