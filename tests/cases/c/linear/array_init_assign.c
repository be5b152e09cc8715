//! verdict: true
//! decided-by: linear
extern void reach_error(void);
int a[2];

int main() {
  int i = 0, j = 0;
  while (i < 2) {
    a[i] = 0;
    i = i + 1;
  }
  while (j < 2) {
    a[j] = j + 1;
    j = j + 1;
  }
  if (a[1] == 0)
    reach_error();
}
