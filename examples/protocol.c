// A small protocol stack: a frame's header and checksum, then a transport header with a table of handlers by port.
// BUG 1: valid-deref: the header's length is not compared with the frame's
// BUG 2: null-deref: a port without a handler is called
// BUG 3: array-bounds: the port is compared with the wrong limit
#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#ifndef BUG
#define BUG 0
#endif

#define FRAME 64u
#define PORTS 8u

struct header {
    uint8_t version;
    uint8_t length; /* of the payload */
    uint16_t checksum;
};

typedef int (*handler)(const uint8_t *data, size_t length);

static unsigned echoes, times;

static int on_echo(const uint8_t *data, size_t length) {
    if (length == 0)
        return -1;
    echoes += data[0];
    return 0;
}

static int on_time(const uint8_t *data, size_t length) {
    (void)data;
    times++;
    return length == 0 ? 0 : -1;
}

static const handler handlers[PORTS] = {[1] = on_echo, [5] = on_time};

static uint16_t checksum(const uint8_t *data, size_t length) {
    uint16_t sum = 0;
    for (size_t i = 0; i < length; i++)
        sum = (uint16_t)(sum + data[i]);
    return sum;
}

static int dispatch(const uint8_t *segment, size_t length) {
    if (length < 1)
        return -1;
    uint8_t port = segment[0];
#if BUG == 3
    if (port > PORTS)
#else
    if (port >= PORTS)
#endif
        return -1;
#if BUG != 2
    if (!handlers[port])
        return -1;
#endif
    return handlers[port](segment + 1, length - 1);
}

static int receive(const uint8_t *frame, size_t size) {
    struct header header;
    if (size < sizeof header)
        return -1;
    memcpy(&header, frame, sizeof header);
    if (header.version != 2)
        return -1;
#if BUG != 1
    if (header.length > size - sizeof header)
        return -1;
#endif
    const uint8_t *payload = frame + sizeof header;
    if (checksum(payload, header.length) != header.checksum)
        return -1;
    return dispatch(payload, header.length);
}

int main(void) {
    static uint8_t frame[FRAME];
    unsigned errors = 0;
    ssize_t size;
    while ((size = read(0, frame, sizeof frame)) > 0) {
        assert((size_t)size <= sizeof frame);
        if (receive(frame, (size_t)size) != 0)
            errors++;
    }
    return errors != 0;
}
