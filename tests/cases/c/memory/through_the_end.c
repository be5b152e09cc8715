//! verdict: false(unreach-call)
//! decided-by: auto
// A loop over the bytes of an array that goes one too far, at the number behind it.
#include <assert.h>
struct packet { unsigned char data[8]; unsigned sum; };
int main(void) {
  struct packet p = {{0}, 5};
  for (int i = 0; i <= 8; i++) p.data[i] = 1;
  assert(p.sum == 5);
  return 0;
}
