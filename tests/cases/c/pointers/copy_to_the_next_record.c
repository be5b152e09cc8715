//! verdict: false(unreach-call)
//! decided-by: predicate
//! arguments: --missing-bodies pure
// What is in a record from outside stays the same, and is copied to the record in front of it.
#include <string.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

struct record { int kind; int state; int next; };
struct request { struct record *current; };
extern struct request *incoming(void);

int main(void)
{
  struct request *request = incoming();
  if (!request || !request->current)
    return 0;
  struct record *now = request->current;
  struct record *next = request->current - 1;
  if (__VERIFIER_nondet_int())
    request->current -= 1;
  memcpy(next, now, 8);
  next->next = 0;
  if (now->kind == 7 && now->state == 9 && next->kind == 7 && next->state == 9 && now->kind == 7)
    reach_error();
  return 0;
}
