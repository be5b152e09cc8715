//! run: 1 55 5050
// An array whose length is known when it is declared.
#include <stdio.h>

static int triangle(int n) {
    int a[n];
    for (int i = 0; i < n; i++)
        a[i] = i + 1;
    int sum = 0;
    for (int i = n - 1; i >= 0; i--)
        sum += a[i];
    return sum;
}

int main(void) {
    printf("%d %d %d\n", triangle(1), triangle(10), triangle(100));
    return 0;
}
