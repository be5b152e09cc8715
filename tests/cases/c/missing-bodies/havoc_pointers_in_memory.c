//! verdict: unknown(a call of fill, which has no body and is given pointers in memory)
//! decided-by: auto
//! arguments: --missing-bodies havoc
#include <assert.h>
struct message { char *text; };
extern void fill(struct message *message);

int main(void) {
    char text[4] = "ab";
    struct message message = {text};
    fill(&message);
    assert(text[0] == 'a');
    return 0;
}
