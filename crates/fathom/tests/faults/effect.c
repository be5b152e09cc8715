// A procedure changes a global variable.
extern void __VERIFIER_error(void);
extern int __VERIFIER_nondet_int(void);
int g;
void f(int n) {
  if (n > 0) f(n - 1);
  else g = 1;
}
int main(void) {
  f(__VERIFIER_nondet_int());
  if (g == 1) __VERIFIER_error();
  return 0;
}
