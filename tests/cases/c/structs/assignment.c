//! run: 2 abc 5
//! run: 20 zbc 50
//! run: 40 4
// Assignment copies all members, arrays too; the copies are independent.
#include <stdio.h>

struct s { int a[3]; char name[4]; struct { int x, y; } p; };

int main(void) {
    struct s s = {{1, 2, 3}, "abc", {4, 5}}, t;
    t = s;
    t.a[1] = 20;
    t.name[0] = 'z';
    t.p.y = 50;
    printf("%d %s %d\n", s.a[1], s.name, s.p.y);
    printf("%d %s %d\n", t.a[1], t.name, t.p.y);
    struct s u = (s = t);
    printf("%d %d\n", u.a[1] + s.a[1], u.p.x);
    return 0;
}
