//! property: valid-memsafety
//! verdict: false(valid-deref)
//! decided-by: auto
//! model: lp64
#include <sys/socket.h>

int main(void) {
    char buffer[8];
    int file = socket(AF_INET, SOCK_STREAM, 0);
    if (file >= 0)
        recv(file, buffer, 9, 0);
}
