//! run: 30
// Leaving and entering the scope again makes another array.
#include <stdio.h>

int main(void) {
    int n = 1, sum = 0;
again:;
    {
        int a[n];
        for (int i = 0; i < n; i++)
            a[i] = n;
        sum += a[n - 1] * (int)(sizeof a / sizeof *a);
        if (++n < 5)
            goto again;
    }
    printf("%d\n", sum);
    return 0;
}
