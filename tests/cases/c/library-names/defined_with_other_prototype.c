//! verdict: true
//! decided-by: auto
// The program's definitions go before the library's.
#include <assert.h>
struct list { int length; };
int read(void) { return 7; }
void qsort(int n) { assert(n == 3); }
static int index(int row, int column) { return row * 4 + column; }
int remove(struct list *list, int n) { return list->length -= n; }
double abs(double x) { return x < 0 ? -x : x; }

int main(void) {
    struct list list = {5};
    qsort(3);
    assert(read() == 7 && index(1, 2) == 6 && remove(&list, 2) == 3 && abs(-1.5) == 1.5);
    return 0;
}
