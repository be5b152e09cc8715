//! verdict: false(unreach-call)
//! decided-by: auto
//! model: lp64
// The file of a stream is closed with it, and its number may come again.
#include <assert.h>
#include <fcntl.h>
#include <stdio.h>

int main(void) {
    int file = open("x", O_RDONLY), other;
    FILE *stream;
    if (file < 0 || (stream = fdopen(file, "r")) == 0)
        return 1;
    assert(fileno(stream) == file);
    fclose(stream);
    other = open("y", O_RDONLY);
    assert(other != file);
}
