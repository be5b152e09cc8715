//! verdict: true
//! decided-by: linear
extern void reach_error(void);
int a[6];

int main() {
  int i, t;
  for (i = 0; i < 6; i++)
    a[i] = i;
  for (i = 0; i < 3; i++) {
    t = a[i];
    a[i] = a[5 - i];
    a[5 - i] = t;
  }
  if (a[1] != 4)
    reach_error();
}
