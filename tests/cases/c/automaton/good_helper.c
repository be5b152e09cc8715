//! automaton: file.automaton
//! verdict: true
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
    read_file();
    read_file();
}

int main(void) {
    open_file();
    work();
    close_file();
    return 0;
}
