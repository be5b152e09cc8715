//! run: 1 0 2 3
//! run: 4 5
// Parts without room take nothing from a list; what is too much for them is dropped.
#include <stdio.h>

struct none {};
struct tail { int n; int a[0]; };
struct pair { int x; struct none hole[2000000000]; int y; };
struct open { int n; struct none rest[]; };

int main(void) {
    struct tail first = {.n = 1, .a = 7};
    struct { struct tail t; int z; } second = {.t.n = 2, .t.a = 9, .z = 3};
    struct tail third = {.a = 7, .a = 8};
    static struct open fourth = {4, 6};
    struct pair fifth = {.hole = 1, .y = 5};
    printf("%d %d %d %d\n", first.n, third.n, second.t.n, second.z);
    printf("%d %d\n", fourth.n, fifth.y);
    return 0;
}
