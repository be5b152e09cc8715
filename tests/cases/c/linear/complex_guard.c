//! verdict: true
//! decided-by: linear
extern void reach_error(void);
int a[4];

int main() {
  int i = 0;
  a[0] = 0;
  a[1] = 1;
  a[2] = 2;
  a[3] = 3;
  while (i < 3 && (a[i] != 2 || a[i + 1] != 3))
    i = i + 1;
  if (i != 2)
    reach_error();
}
