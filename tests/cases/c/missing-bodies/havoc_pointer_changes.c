//! verdict: false(unreach-call)
//! decided-by: auto
//! arguments: --missing-bodies havoc
#include <assert.h>
struct message { char *text; int n; };
extern void fill(struct message *message);
int main(void) { char text[4] = "ab"; struct message m = {text, 1}; fill(&m); assert(m.text == text); return 0; }
