//! verdict: unknown(could not be executed)
// What lies behind an object is not known.
extern void reach_error(void);

static char one;

int main(void) {
    if ((&one)[1] == 12)
        reach_error();
    return 0;
}
