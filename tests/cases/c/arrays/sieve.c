//! run: 25 97
// Prime numbers by a sieve in a static array.
#include <stdio.h>

#define N 100
static unsigned char composite[N];

int main(void) {
    int count = 0, last = 0;
    for (int i = 2; i < N; i++) {
        if (composite[i])
            continue;
        count++;
        last = i;
        for (int j = i * i; j < N; j += i)
            composite[j] = 1;
    }
    printf("%d %d\n", count, last);
    return 0;
}
