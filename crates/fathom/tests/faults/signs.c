// The square of a negative number is positive.
extern void __VERIFIER_error(void);
extern float __VERIFIER_nondet_float(void);
int main(void) {
  float x = __VERIFIER_nondet_float();
  if (!(x >= -3.0f && x <= 2.0f)) return 0;
  if (x * x < 4.5f) return 0;
  if (x * x > 8.0f) __VERIFIER_error();
  return 0;
}
