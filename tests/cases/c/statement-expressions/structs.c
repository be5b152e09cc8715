//! run: 1 11 2 2
// The value may be a struct, which is copied.
#include <stdio.h>

struct p { int x, y; };

int main(void) {
    struct p q = {1, 2};
    struct p r = ({ struct p t = q; t.x += 10; t; });
    int y = ({ q; }).y;
    printf("%d %d %d %d\n", q.x, r.x, r.y, y);
    return 0;
}
