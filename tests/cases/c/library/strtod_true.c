//! run: 0.25 x
//! run: -1200.0
//! run: 0
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    char *end;
    double x = strtod(" 0.25x", &end);
    printf("%.2f %s\n", x, end);
    printf("%.1f\n", atof("-1.2e3"));
    printf("%d\n", (int)atof("none"));
}
