//! verdict: false(unreach-call)
//! decided-by: linear
extern void reach_error(void);
int a[10];

int main() {
  int i = 0;
  while (i < 10) {
    a[i] = i;
    if (i == 5) {
      if (a[5] == 5)
        reach_error();
      i = 0;
    }
    i = i + 1;
  }
}
