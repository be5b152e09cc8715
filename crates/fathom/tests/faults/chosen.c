// Few inputs lead to the error.
extern void __VERIFIER_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  unsigned x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
  if (x * y == 4711 && x > y + 1) __VERIFIER_error();
  return 0;
}
