//! verdict: true
//! decided-by: auto
// memset, a copy of records and memcpy of an array in a record, all of known sizes.
#include <assert.h>
#include <string.h>
extern unsigned __VERIFIER_nondet_uint(void);
struct buffer { unsigned used; unsigned char data[300]; unsigned end; } a, b;
int main(void) {
  unsigned i = __VERIFIER_nondet_uint() % 300, j = __VERIFIER_nondet_uint() % 300;
  a.used = 9;
  a.data[i] = 7;
  a.end = 11;
  b = a;
  assert(b.data[i] == 7 && b.used == 9 && b.end == 11);
  memset(&a, 0, sizeof a);
  assert(a.data[j] == 0 && a.end == 0);
  memcpy(a.data, b.data, sizeof a.data);
  assert(a.data[i] == 7 && a.end == 0);
  return 0;
}
