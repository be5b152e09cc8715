//! run: 16 hello 2
//! run: 1 16 7
// A struct tag declared inside hides the outer one.
#include <stdio.h>

struct s { int a; };

int main(void) {
    struct s outer = {1};
    {
        struct s { char a[10]; int b; };
        struct s inner = {"hello", 2};
        printf("%d %s %d\n", (int)sizeof inner, inner.a, inner.b);
    }
    struct s { long long a, b; } last = {3, 4};
    printf("%d %d %lld\n", outer.a, (int)sizeof(struct s), last.a + last.b);
    return 0;
}
