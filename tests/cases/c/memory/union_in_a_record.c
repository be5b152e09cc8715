//! verdict: false(unreach-call)
//! decided-by: auto
// What is written to a byte of a union is read in the number.
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
struct message { unsigned char kind; union { unsigned value; unsigned char bytes[4]; } body; unsigned crc; } m;
int main(void) {
  unsigned i = __VERIFIER_nondet_uint();
  m.crc = 3;
  if (i < 4) m.body.bytes[i] = 1;
  assert(m.crc == 3);
  assert(m.body.value != 0x10000);
  return 0;
}
