//! run: 4223
// A break leaves the innermost switch or loop.
#include <stdio.h>

int main(void) {
    int out = 0;
    for (int i = 0; i < 6; i++) {
        switch (i % 3) {
        case 0:
            switch (i) {
            case 0: out += 1; break;
            case 3: out += 2;
            }
            out += 10;
            break;
        case 1: continue;
        case 2:
            while (1) {
                out += 100;
                break;
            }
        }
        out += 1000;
    }
    printf("%d\n", out);
    return 0;
}
