//! verdict: true
//! decided-by: linear
extern void reach_error(void);
int a[10];

void swap(int x, int y) {
  int t = a[x];
  a[x] = a[y];
  a[y] = t;
}

int main() {
  a[0] = 1;
  a[1] = 2;
  a[2] = 3;
  swap(0, 1);
  swap(1, 2);
  if (a[0] != 2 || a[1] != 3 || a[2] != 1)
    reach_error();
}
