//! automaton: file.automaton
//! verdict: true
//! decided-by: auto
//! model: lp64
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

void open_file(void) {
}

void read_file(void) {
}

void close_file(void) {
}

int main(void) {
    int is_open = 0;
    if (__VERIFIER_nondet_int()) {
        open_file();
        is_open = 1;
    }
    if (is_open)
        close_file();
    return 0;
}
