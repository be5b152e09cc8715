//! run: 103 10
// Static and external variables, and a tentative definition.
#include <stdio.h>

static int hidden = 1;
int shared;
extern int shared;
int shared;
extern int later;

static int bump(void) { return hidden++ + later; }

int later = 50;

int main(void) {
    extern int shared;
    shared = bump() + bump();
    {
        int shared = 7;
        hidden += shared;
    }
    printf("%d %d\n", shared, hidden);
    return 0;
}
