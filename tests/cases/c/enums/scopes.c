//! run: 169
// Enumerators are scoped like other names.
#include <stdio.h>

enum { N = 3 };

int main(void) {
    int sum = N;
    {
        enum { N = 10, M };
        sum += N + M;
        {
            int M = 100;
            sum += M;
        }
    }
    enum { K = 7 } i;
    for (i = K; i < 9; i++)
        sum += i * N;
    printf("%d\n", sum);
    return 0;
}
