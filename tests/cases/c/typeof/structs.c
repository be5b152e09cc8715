//! run: 1 2 abc xyz 6
// typeof of unnamed structs and of members.
#include <stdio.h>

struct { int a; char b[6]; } s = {1, "abc"};

int main(void) {
    typeof(s) t = s;
    typeof(s.b) u = "xyz";
    t.a++;
    printf("%d %d %s %s %d\n", s.a, t.a, t.b, u, (int)sizeof u);
    return 0;
}
