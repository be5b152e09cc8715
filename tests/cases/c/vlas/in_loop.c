//! run: a ab abc abcd abcde 20
// The array is made anew in every iteration.
#include <stdio.h>

int main(void) {
    int total = 0;
    for (int i = 1; i <= 5; i++) {
        char text[i + 1];
        for (int j = 0; j < i; j++)
            text[j] = 'a' + j;
        text[i] = 0;
        printf("%s ", text);
        total += sizeof text;
    }
    printf("%d\n", total);
    return 0;
}
