//! run: duff's device
// Cases inside a loop that the switch jumps into.
#include <stdio.h>

static void copy(char *to, const char *from, int count) {
    int n = (count + 3) / 4;
    switch (count % 4) {
    case 0: do { *to++ = *from++;
    case 3:      *to++ = *from++;
    case 2:      *to++ = *from++;
    case 1:      *to++ = *from++;
            } while (--n > 0);
    }
}

int main(void) {
    char buffer[16] = {0};
    copy(buffer, "duff's device", 13);
    printf("%s\n", buffer);
    return 0;
}
