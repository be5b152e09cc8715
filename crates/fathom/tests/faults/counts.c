// The error is behind ten rounds of a loop.
extern void __VERIFIER_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int i = 0;
  while (i < 10) i++;
  if (i == 10) __VERIFIER_error();
  return 0;
}
