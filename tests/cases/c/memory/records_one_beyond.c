//! verdict: false(unreach-call)
//! decided-by: auto
// The index of the inner array is one too large, so that the number behind it is changed.
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
struct line { unsigned char text[12]; unsigned used; } lines[8];
int main(void) {
  for (;;) {
    unsigned i = __VERIFIER_nondet_uint() % 8;
    struct line *l = &lines[i];
    if (l->used <= 12) { l->text[l->used] = 200; l->used++; }
    assert(l->used <= 13);
  }
}
