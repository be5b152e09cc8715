//! verdict: true
//! decided-by: auto, predicate
// What is stored in the array changes no field behind it, because indices stay below its size.
#include <assert.h>
#include <stdint.h>
extern int __VERIFIER_nondet_int(void);
struct ring { uint8_t data[16]; unsigned head, tail, count; } ring;
static int put(struct ring *r, uint8_t c) {
  if (r->count == 16) return 0;
  r->data[r->head] = c;
  r->head = (r->head + 1) % 16;
  r->count++;
  return 1;
}
static int get(struct ring *r, uint8_t *out) {
  if (r->count == 0) return 0;
  *out = r->data[r->tail];
  r->tail = (r->tail + 1) % 16;
  r->count--;
  return 1;
}
int main(void) {
  for (;;) {
    uint8_t c = 0;
    if (__VERIFIER_nondet_int()) put(&ring, c); else get(&ring, &c);
    assert(ring.count <= 16);
  }
}
