// The product of a number that may be negative with itself may be small.
extern void __VERIFIER_error(void);
extern float __VERIFIER_nondet_float(void);
int main(void) {
  float x = __VERIFIER_nondet_float();
  if (!(x >= -3.0f && x <= 2.0f)) return 0;
  if (x * x < 3.5f) __VERIFIER_error();
  return 0;
}
