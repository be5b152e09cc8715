// The successor of the largest number is zero.
extern void __VERIFIER_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  unsigned x = __VERIFIER_nondet_int();
  unsigned y = x + 1;
  if (y < 1) __VERIFIER_error();
  return 0;
}
