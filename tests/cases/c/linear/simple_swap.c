//! verdict: true
//! decided-by: linear
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int a[2];

int main() {
  int x = __VERIFIER_nondet_int(), t;
  a[0] = x;
  a[1] = 3;
  t = a[0];
  a[0] = a[1];
  a[1] = t;
  if (a[1] != x || a[0] != 3)
    reach_error();
}
