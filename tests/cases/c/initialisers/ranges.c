//! run: 1111022230 6
// GNU ranges initialise many elements at once.
#include <stdio.h>

int main(void) {
    int a[10] = {[0 ... 3] = 1, [5 ... 7] = 2, 3};
    char vowels[26] = {['a' - 'a'] = 1, ['e' - 'a'] = 1, ['i' - 'a'] = 1, ['o' - 'a'] = 1, ['u' - 'a'] = 1};
    int sum = 0, n = 0;
    for (int i = 0; i < 10; i++)
        sum = sum * 10 + a[i];
    for (const char *p = "initialisers"; *p; p++)
        n += vowels[*p - 'a'];
    printf("%d %d\n", sum, n);
    return 0;
}
