//! run: 1 0
//! run: 4 4
//! run: 1
// An enum without negative values is an unsigned int, with them an int.
#include <stdio.h>

enum unsigned_one { U0, U1 };
enum signed_one { S0 = -1, S1 };

int main(void) {
    enum unsigned_one u = U0;
    enum signed_one s = S1;
    u = u - 1;
    s = s - 2;
    printf("%d %d\n", u > 0, s > 0);
    printf("%d %d\n", (int)sizeof u, (int)sizeof U0);
    printf("%d\n", U0 - 1 < 0);
    return 0;
}
