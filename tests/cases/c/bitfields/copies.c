//! run: 29.12.1999
//! run: 30.12.1999
//! run: 1.1.2000
//! run: 2.1.2000
//! run: 1
// Structs with bit-fields are copied, passed and returned whole.
#include <stdio.h>

typedef struct {
    unsigned day : 5;
    unsigned month : 4;
    unsigned year : 12;
} Date;

static Date next(Date d) {
    d.day++;
    if (d.day == 31) {
        d.day = 1;
        d.month = d.month == 12 ? 1 : d.month + 1;
        d.year += d.month == 1;
    }
    return d;
}

int main(void) {
    Date d = {28, 12, 1999}, e;
    for (int i = 0; i < 4; i++) {
        e = d;
        d = next(e);
        printf("%u.%u.%u\n", d.day, d.month, d.year);
    }
    printf("%u\n", e.day);
    return 0;
}
