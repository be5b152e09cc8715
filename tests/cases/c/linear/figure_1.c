//! verdict: true
//! decided-by: linear
// Figure 1 of "Model Checking Linear Programs with Arrays": element 1 of `a` is needed, and no other.
extern void reach_error(void);

int main() {
  int i, a[3];
  a[1] = 1;
  i = 0;
  while (a[i] != 1 && i < 3) {
    a[i] = 2 * i;
    i = i + 1;
  }
  if (i > 1)
    reach_error();
}
