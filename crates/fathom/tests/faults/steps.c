// The error is behind ten rounds of a loop that is one block.
extern void __VERIFIER_error(void);
int main(void) {
  int i = 0;
  do i++; while (i < 10);
  if (i == 10) __VERIFIER_error();
  return 0;
}
