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
    open_file();
    for (int i = 0; i < 3; i++) {
        read_file();
        close_file();
    }
    return 0;
}
