//! verdict: true
//! decided-by: auto
//! model: lp64
#include <assert.h>
#include <sys/socket.h>

int main(void) {
    char buffer[8];
    long n = recv(3, buffer, sizeof buffer, 0);
    assert(n >= -1 && n <= 8);
}
