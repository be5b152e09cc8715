// Each call returns to where it was made, so there is no error.
extern void __VERIFIER_error(void);
static int twice(int x) { return 2 * x; }
int main(void) {
  int a = twice(1);
  int b = twice(2);
  if (a != 2 || b != 4) __VERIFIER_error();
  return 0;
}
