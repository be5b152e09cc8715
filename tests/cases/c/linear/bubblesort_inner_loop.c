//! verdict: false(unreach-call)
//! decided-by: linear
extern void reach_error(void);
int a[5];

int main() {
  int j, t;
  for (j = 0; j < 5; j++)
    a[j] = 4 - j;
  for (j = 0; j < 4; j++) {
    if (a[j] > a[j + 1]) {
      t = a[j];
      a[j] = a[j + 1];
      a[j + 1] = t;
    }
  }
  if (a[0] > a[1])
    reach_error();
}
