//! verdict: false(unreach-call)
//! decided-by: linear
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int a[100];

int main() {
  int n = __VERIFIER_nondet_int(), i;
  for (i = 0; i < n; i++)
    if (i < 100)
      a[i] = i;
  if (n > 20 && a[20] == 20)
    reach_error();
}
