//! verdict: true
//! decided-by: auto
//! model: lp64
#include <arpa/inet.h>
#include <assert.h>
#include <string.h>

int main(void) {
    struct in_addr address;
    assert(inet_addr("127.1") == htonl(0x7f000001));
    assert(inet_pton(AF_INET, "10.0.0.1", &address) == 1 && ntohl(address.s_addr) == 0x0a000001);
    assert(inet_pton(AF_INET, "10.0.0.256", &address) == 0);
    assert(strcmp(inet_ntoa(address), "10.0.0.1") == 0);
}
