//! run: 20 1
// Statements of every kind inside.
#include <stdio.h>

int main(void) {
    int sum = ({
        int s = 0;
        for (int i = 0; i < 10; i++) {
            if (i % 2)
                continue;
            s += i;
        }
        s;
    });
    int sign = ({
        int r;
        switch (sum) {
        case 0: r = 0; break;
        default: r = 1;
        }
        r;
    });
    printf("%d %d\n", sum, sign);
    return 0;
}
