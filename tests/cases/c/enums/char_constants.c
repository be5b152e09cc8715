//! run: + 256 4 77
// Enumerators from character constants, sizeof and conditionals.
#include <stdio.h>

enum token { NUMBER = 256, PLUS = '+', SIZE = sizeof(int), PICK = sizeof(char) == 1 ? 77 : 88 };

int main(void) {
    enum token t = PLUS;
    printf("%c %d %d %d\n", t, NUMBER, SIZE, PICK);
    return 0;
}
