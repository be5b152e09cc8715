//! verdict: unknown(a call of rewind, which has no body)
//! decided-by: auto
#include <assert.h>
struct iterator { int at; };
extern void rewind(struct iterator *iterator);

int main(void) {
    struct iterator iterator = {1};
    rewind(&iterator);
    assert(iterator.at == 1);
    return 0;
}
