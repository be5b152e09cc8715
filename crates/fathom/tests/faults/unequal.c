extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main() {
  int x = __VERIFIER_nondet_int();
  int y = 0;
  if (x != 3)
    y = x;
  if (y > 3)
    reach_error();
}
