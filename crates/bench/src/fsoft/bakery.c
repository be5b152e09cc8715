// Lamport's bakery algorithm ("A New Solution of Dijkstra's Concurrent Programming Problem", 1974) for two customers.
// A scheduler lets one of them make one step at a time; each step reads or writes one shared variable. With FAULT
// nobody says that he is choosing.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

// Who reads a larger number than this goes away and comes again later, so that numbers are bounded.
#define LARGEST 6

enum place { OUTSIDE, ENTERING, READING, WRITING, LEAVING_DOORWAY, OTHER_CHOOSING, OTHER_WAITING, INSIDE };

// What both customers see.
int choosing1 = 0, choosing2 = 0;
int number1 = 0, number2 = 0;

// What each of them knows.
enum place place1 = OUTSIDE, place2 = OUTSIDE;
int seen1 = 0, seen2 = 0;

// The number that a display shows.
int shown = 0;

// Whether a customer goes before another one.
static int goes_before(int number, int name, int other_number, int other_name) {
    if (number < other_number)
        return 1;
    return number == other_number && name < other_name;
}

static void step1(void) {
    switch (place1) {
    case OUTSIDE:
        if (__VERIFIER_nondet_int())
            place1 = ENTERING;
        break;
    case ENTERING:
#ifndef FAULT
        choosing1 = 1;
#endif
        place1 = READING;
        break;
    case READING:
        seen1 = number2;
        place1 = WRITING;
        break;
    case WRITING:
        if (seen1 < LARGEST)
            number1 = seen1 + 1;
        place1 = LEAVING_DOORWAY;
        break;
    case LEAVING_DOORWAY:
        choosing1 = 0;
        place1 = number1 > 0 ? OTHER_CHOOSING : OUTSIDE;
        break;
    case OTHER_CHOOSING:
        if (!choosing2)
            place1 = OTHER_WAITING;
        break;
    case OTHER_WAITING: {
        int other = number2;
        if (other == 0 || goes_before(number1, 1, other, 2))
            place1 = INSIDE;
        break;
    }
    case INSIDE:
        shown = number1;
        number1 = 0;
        place1 = OUTSIDE;
        break;
    }
}

static void step2(void) {
    switch (place2) {
    case OUTSIDE:
        if (__VERIFIER_nondet_int())
            place2 = ENTERING;
        break;
    case ENTERING:
#ifndef FAULT
        choosing2 = 1;
#endif
        place2 = READING;
        break;
    case READING:
        seen2 = number1;
        place2 = WRITING;
        break;
    case WRITING:
        if (seen2 < LARGEST)
            number2 = seen2 + 1;
        place2 = LEAVING_DOORWAY;
        break;
    case LEAVING_DOORWAY:
        choosing2 = 0;
        place2 = number2 > 0 ? OTHER_CHOOSING : OUTSIDE;
        break;
    case OTHER_CHOOSING:
        if (!choosing1)
            place2 = OTHER_WAITING;
        break;
    case OTHER_WAITING: {
        int other = number1;
        if (other == 0 || goes_before(number2, 2, other, 1))
            place2 = INSIDE;
        break;
    }
    case INSIDE:
        shown = number2;
        number2 = 0;
        place2 = OUTSIDE;
        break;
    }
}

int main(void) {
    while (1) {
        if (__VERIFIER_nondet_int())
            step1();
        else
            step2();
        assert(place1 != INSIDE || place2 != INSIDE);
    }
}
