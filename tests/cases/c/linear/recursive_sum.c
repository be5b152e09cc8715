//! verdict: true
//! decided-by: linear
// Called procedures keep their calls: summaries relate what they return to what they are given.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int twice(int n) {
  if (n <= 0)
    return 0;
  return twice(n - 1) + 2;
}

int main() {
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 5)
    return 0;
  if (twice(n) != 2 * n)
    reach_error();
}
