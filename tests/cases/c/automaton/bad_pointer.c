//! automaton: file.automaton
//! verdict: false(automaton:file)
//! decided-by: auto
//! model: lp64
#include <stdlib.h>

void open_file(void) {
}

void read_file(void) {
}

void close_file(void) {
}

int main(void) {
    void (*f)(void) = read_file;
    f();
    return 0;
}
