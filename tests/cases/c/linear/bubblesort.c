//! verdict: false(unreach-call)
//! decided-by: linear
extern void reach_error(void);
int a[4];

int main() {
  int i, j, t;
  for (j = 0; j < 4; j++)
    a[j] = 3 - j;
  for (i = 0; i < 3; i++) {
    for (j = 0; j < 3 - i; j++) {
      if (a[j] > a[j + 1]) {
        t = a[j];
        a[j] = a[j + 1];
        a[j + 1] = t;
      }
    }
  }
  if (a[0] == 0)
    reach_error();
}
