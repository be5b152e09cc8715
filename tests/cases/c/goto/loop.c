//! run: 10 45
// A loop made of jumps.
#include <stdio.h>

int main(void) {
    int i = 0, sum = 0;
top:
    if (i == 10)
        goto done;
    sum += i++;
    goto top;
done:
    printf("%d %d\n", i, sum);
    return 0;
}
