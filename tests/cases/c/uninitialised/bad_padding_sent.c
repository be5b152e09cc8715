//! property: uninitialised
//! verdict: false(uninitialised)
//! decided-by: auto
//! model: lp64
#include <sys/socket.h>
struct reply { char code; long value; };
int main(void) {
    struct reply reply;
    reply.code = 1;
    reply.value = 2;
    return send(3, &reply, sizeof reply, 0) < 0;
}
