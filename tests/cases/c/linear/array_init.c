//! verdict: true
//! decided-by: linear
extern void reach_error(void);
int a[1000000];

int main() {
  int i;
  for (i = 0; i < 1000000; i++)
    a[i] = 7;
  if (a[5] != 7)
    reach_error();
}
