// The sum lies between two floats and is rounded up, so it is never the float that it was added to.
extern void __VERIFIER_error(void);
extern float __VERIFIER_nondet_float(void);
int main(void) {
  float x = __VERIFIER_nondet_float();
  if (!(x >= 16777216.0f && x <= 16777220.0f)) return 0;
  float y = x + 1.5f;
  if (y == x) __VERIFIER_error();
  return 0;
}
