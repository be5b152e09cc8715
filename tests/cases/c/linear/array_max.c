//! verdict: true
//! decided-by: linear
extern void reach_error(void);
int a[5];
int max;

void find(int n) {
  int i = 0;
  while (i < n) {
    if (a[i] > max)
      max = a[i];
    i = i + 1;
  }
}

int main() {
  max = 0;
  a[0] = 1;
  a[1] = 2;
  a[2] = 3;
  a[3] = 4;
  a[4] = 5;
  find(5);
  if (max == 0)
    reach_error();
}
