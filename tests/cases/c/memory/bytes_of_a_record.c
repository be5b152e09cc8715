//! verdict: true
//! decided-by: auto
// A record is copied byte by byte: an index that starts at its array leaves it, which C allows for characters.
#include <assert.h>
struct record { unsigned char id[4]; unsigned size; };
int main(void) {
  struct record a = {{1, 2, 3, 4}, 77}, b = {{0}, 0};
  for (unsigned i = 0; i < sizeof a; i++) ((unsigned char *)&b)[i] = ((unsigned char *)&a)[i];
  assert(b.size == 77 && b.id[3] == 4);
  return 0;
}
