// The pointer outlives what it points to.
extern int __VERIFIER_nondet_int(void);
static int *kept;
static void keep(void) {
  int here = __VERIFIER_nondet_int();
  kept = &here;
}
int main(void) {
  keep();
  return *kept;
}
