//! verdict: false(unreach-call)
//! decided-by: linear
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int a[3];

int main() {
  int n = __VERIFIER_nondet_int();
  a[1] = 4;
  while (n > 1)
    n = n - 1;
  if (n == 1 && a[n] == 4)
    reach_error();
}
