//! verdict: true
//! decided-by: auto
//! arguments: --missing-bodies pure
#include <assert.h>
struct list { int length; };
extern int remove(struct list *list, int n);
extern void qsort(int n);

int main(void) {
    struct list list = {2};
    qsort(3);
    remove(&list, 1);
    assert(list.length == 2);
    return 0;
}
