//! run: 97 233 122 0
//! run: 12 6 3
//! run: 120 4
// Wide and prefixed literals.
#include <stdio.h>
#include <stddef.h>

int main(void) {
    const wchar_t *w = L"a\u00e9z";
    printf("%d %d %d %d\n", (int)w[0], (int)w[1], (int)w[2], (int)w[3]);
    printf("%d %d %d\n", (int)sizeof L"ab", (int)sizeof u"ab", (int)sizeof u8"ab");
    printf("%d %d\n", (int)L'x', (int)sizeof(L'x'));
    return 0;
}
