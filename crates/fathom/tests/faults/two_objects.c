// What is written through the pointer changes one of two variables, so there is no error.
extern void __VERIFIER_error(void);
extern int __VERIFIER_nondet_int(void);
int a = 1, b = 2;
int main(void) {
  int *p = __VERIFIER_nondet_int() ? &a : &b;
  *p = 7;
  if (a == 7 && b == 7) __VERIFIER_error();
  return 0;
}
