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

static void work(void) {
    close_file();
}

int main(void) {
    open_file();
    work();
    read_file();
    return 0;
}
