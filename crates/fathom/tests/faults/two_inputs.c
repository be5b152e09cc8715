// Two inputs, asked for in rounds of a loop, may differ.
extern void __VERIFIER_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int last = __VERIFIER_nondet_int(), rounds = 0;
  while (__VERIFIER_nondet_int()) {
    int x = __VERIFIER_nondet_int();
    if (rounds == 1 && x == last + 1) __VERIFIER_error();
    last = x;
    rounds = 1;
  }
  return 0;
}
