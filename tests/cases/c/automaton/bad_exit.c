//! automaton: file.automaton
//! verdict: false(automaton:file)
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
    open_file();
    if (__VERIFIER_nondet_int())
        exit(0);
    close_file();
    return 0;
}
