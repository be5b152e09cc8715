//! verdict: true
//! decided-by: predicate
// A pointer moves among records of twelve bytes; their fields do not overlap wherever it is.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

struct record { int kind; int state; int next; };
struct record stack[8];
struct request { struct record *current; } request;

int main(void)
{
  request.current = &stack[4];
  for (int i = 0; i < 3; i++) {
    if (__VERIFIER_nondet_int())
      request.current -= 1;
    else
      request.current += 1;
  }
  request.current->kind = 1;
  request.current->state = 2;
  request.current->next = 3;
  if (request.current->kind != 1 || request.current->state != 2)
    reach_error();
  return 0;
}
