//! run: 0 8 1
//! run: 2 12 2
//! run: 6 16 3
// Both dimensions may vary.
#include <stdio.h>

int main(void) {
    for (int n = 1; n <= 3; n++) {
        int m[n][n + 1];
        for (int i = 0; i < n; i++)
            for (int j = 0; j <= n; j++)
                m[i][j] = i * j;
        printf("%d %d %d\n", m[n - 1][n], (int)sizeof m[0], (int)(sizeof m / sizeof m[0]));
    }
    return 0;
}
