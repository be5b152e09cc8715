// Both branches do the same, so the condition is no cause.
extern void __VERIFIER_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  int y;
  if (x > 0)
    y = 1;
  else
    y = 1;
  if (y == 1) __VERIFIER_error();
  return 0;
}
