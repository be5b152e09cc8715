//! verdict: false(unreach-call)
//! decided-by: auto, predicate
// The byte behind the array is the first one of the number behind it.
extern void __VERIFIER_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
struct frame { unsigned char data[16]; unsigned length; } frame;
int main(void) {
  unsigned i = __VERIFIER_nondet_uint();
  frame.length = 0;
  if (i <= 16) frame.data[i] = 1;
  if (frame.length) __VERIFIER_error();
  return 0;
}
