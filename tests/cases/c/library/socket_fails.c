//! verdict: false(unreach-call)
//! decided-by: auto
//! model: lp64
#include <assert.h>
#include <sys/socket.h>

int main(void) {
    assert(socket(AF_INET, SOCK_STREAM, 0) >= 0);
}
