// Each round of the loop goes one of two ways; the error needs some of both.
extern void __VERIFIER_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  unsigned i = 0, j = 0;
  while (__VERIFIER_nondet_int()) {
    if (__VERIFIER_nondet_int()) i++;
    else j++;
  }
  if (i == 2 && j == 2) __VERIFIER_error();
  return 0;
}
