// One element is written between two sums over all elements.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_error(void);
#define N 1000
int a[N];
int main(void) {
  for (int i = 0; i < N; i++) a[i] = __VERIFIER_nondet_int();
  int before = 0, after = 0;
  for (int i = 0; i < N; i++) before += a[i];
  a[3] = __VERIFIER_nondet_int();
  for (int i = 0; i < N; i++) after += a[i];
  if (before != after) __VERIFIER_error();
  return 0;
}
