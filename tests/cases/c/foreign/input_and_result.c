//! verdict: false(unreach-call)
//! decided-by: auto
//! arguments: --missing-bodies pure
// Two pointers from outside may be the same, however they came.
extern int *__VERIFIER_nondet_pointer(void);
extern int *get(void);
void reach_error(void);
int main(void) {
  int *p = __VERIFIER_nondet_pointer();
  int *q = get();
  if (p == 0 || q == 0) return 0;
  *p = 1; *q = 2;
  if (*p != 1) reach_error();
  return 0;
}
