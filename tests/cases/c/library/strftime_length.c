//! verdict: true
//! decided-by: auto
//! model: lp64
#include <assert.h>
#include <time.h>

int main(void) {
    char text[8];
    time_t t = 0;
    assert(strftime(text, sizeof text, "%Y", gmtime(&t)) < 8);
}
