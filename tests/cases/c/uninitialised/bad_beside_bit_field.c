//! property: uninitialised
//! verdict: false(uninitialised)
//! decided-by: auto
struct control { unsigned mode : 8, rate : 8, rest : 16; };
static unsigned rate(const struct control *control) { return control->rate; }
int main(void) {
    struct control control;
    control.mode = 3;
    return rate(&control) == 7;
}
