//! verdict: false(unreach-call)
//! decided-by: auto
//! arguments: --missing-bodies havoc
#include <assert.h>
struct message { char *text; };
extern void fill(struct message *message);
int main(void) { char text[4] = "ab"; struct message m = {text}; fill(&m); assert(text[0] == 'a'); return 0; }
