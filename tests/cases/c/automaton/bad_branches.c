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
    if (__VERIFIER_nondet_int())
        open_file();
    read_file();
    close_file();
    return 0;
}
