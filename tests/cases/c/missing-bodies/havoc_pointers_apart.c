//! verdict: true
//! decided-by: auto
//! arguments: --missing-bodies havoc
#include <assert.h>
struct message { char *text; int n; };
extern void fill(struct message *message);
int other; char t2[3] = "x";
int main(void) { char text[4] = "ab"; struct message m = {text, 1}; int local = 3; other = 4; fill(&m); assert(local == 3 && other == 4 && t2[0] == 'x'); return 0; }
