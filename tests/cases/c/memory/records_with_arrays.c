//! verdict: true
//! decided-by: auto
// Arrays in records in an array: each index is one of its own.
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
struct line { unsigned char text[12]; unsigned used; } lines[8];
int main(void) {
  for (;;) {
    unsigned i = __VERIFIER_nondet_uint() % 8;
    struct line *l = &lines[i];
    if (l->used < 12) { l->text[l->used] = 'x'; l->used++; }
    assert(l->used <= 12);
  }
}
