//! run: 5 a 8589934594
// Atomic members of structs.
#include <stdio.h>

struct s { _Atomic int count; char c; _Atomic long long big; };

int main(void) {
    struct s s = {1, 'a', 2};
    struct s *p = &s;
    p->count *= 5;
    p->big += 1ll << 33;
    printf("%d %c %lld\n", s.count, s.c, (long long)s.big);
    return 0;
}
