// The option negotiation automaton of the Point-to-Point Protocol, after the table of RFC 1661, Section 4.1, with the
// options maximum receive unit and magic number. Packets of the peer, the administrator's wishes and the timer come
// in any order. With FAULT a late Configure-Nak leaves the state Opened as if the peer's request were still
// acknowledged.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern void abort(void);

enum state {
    INITIAL, STARTING, CLOSED, STOPPED, CLOSING, STOPPING, REQUEST_SENT, ACK_RECEIVED, ACK_SENT, OPENED
};

enum event {
    UP, DOWN, OPEN, CLOSE, TIMEOUT, CONFIGURE_REQUEST, CONFIGURE_ACK, CONFIGURE_NAK, TERMINATE_REQUEST, TERMINATE_ACK,
    UNKNOWN_CODE, CODE_REJECT, ECHO_REQUEST
};

#define MAX_CONFIGURE 10
#define MAX_TERMINATE 2
#define MAX_FAILURE 5
#define LEAST_UNIT 128
#define DEFAULT_UNIT 1500
#define LARGEST_UNIT 65535

enum state state = INITIAL;

// How often a request is sent again before the automaton gives up.
int restarts = 0;
int failures = 0;

// Whether the layers above may send packets, and whether the layer below is wanted.
int is_layer_up = 0;
int is_started = 0;

// What was agreed of: the own request by the peer, and the peer's.
int is_acked_by_peer = 0;
int is_acked_by_us = 0;

// Options: what is asked for, and what the peer asked for last.
int own_unit = DEFAULT_UNIT, peer_unit = DEFAULT_UNIT;
int own_magic = 0, peer_magic = 0;

// What was sent last, for a log.
int last_code = 0, last_identifier = 0, last_length = 0;

static int input(int low, int high) {
    int value = __VERIFIER_nondet_int();
    if (value < low || value > high)
        abort();
    return value;
}

static void send(int code, int length) {
    last_code = code;
    last_identifier = (last_identifier + 1) & 255;
    last_length = length + 4;
}

static void initialise_restarts(int count) {
    restarts = count;
    failures = 0;
}

static void send_configure_request(void) {
    int length = 6;
    if (own_unit != DEFAULT_UNIT)
        length = length + 4;
    is_acked_by_peer = 0;
    if (restarts > 0)
        restarts = restarts - 1;
    send(1, length);
}

static void send_configure_ack(void) {
    is_acked_by_us = 1;
    failures = 0;
    send(2, 10);
}

static void send_configure_nak(void) {
    is_acked_by_us = 0;
    if (failures < MAX_FAILURE) {
        failures = failures + 1;
        send(3, 4);
    } else {
        send(4, 4);
    }
}

static void send_terminate_request(void) {
    if (restarts > 0)
        restarts = restarts - 1;
    send(5, 0);
}

static void send_terminate_ack(void) {
    send(6, 0);
}

static void send_code_reject(void) {
    send(7, input(4, 64));
}

static void send_echo_reply(void) {
    send(10, input(4, 64));
}

static void this_layer_up(void) {
    is_layer_up = 1;
}

static void this_layer_down(void) {
    is_layer_up = 0;
}

static void this_layer_started(void) {
    is_started = 1;
}

static void this_layer_finished(void) {
    is_started = 0;
}

static void forget(void) {
    is_acked_by_peer = 0;
    is_acked_by_us = 0;
}

static void configure(void) {
    forget();
    initialise_restarts(MAX_CONFIGURE);
    send_configure_request();
    state = REQUEST_SENT;
}

static void terminate(enum state next) {
    forget();
    initialise_restarts(MAX_TERMINATE);
    send_terminate_request();
    state = next;
}

static void up(void) {
    if (state == INITIAL)
        state = CLOSED;
    else if (state == STARTING)
        configure();
}

static void down(void) {
    switch (state) {
    case CLOSED:
    case CLOSING:
        state = INITIAL;
        break;
    case STOPPED:
        this_layer_started();
        state = STARTING;
        break;
    case OPENED:
        this_layer_down();
        state = STARTING;
        break;
    case INITIAL:
    case STARTING:
        break;
    default:
        state = STARTING;
    }
    forget();
}

static void open(void) {
    switch (state) {
    case INITIAL:
        this_layer_started();
        state = STARTING;
        break;
    case CLOSED:
        configure();
        break;
    case CLOSING:
        state = STOPPING;
        break;
    default:
        break;
    }
}

static void close(void) {
    switch (state) {
    case STARTING:
        this_layer_finished();
        state = INITIAL;
        break;
    case STOPPED:
        state = CLOSED;
        break;
    case STOPPING:
        state = CLOSING;
        break;
    case OPENED:
        this_layer_down();
        terminate(CLOSING);
        break;
    case REQUEST_SENT:
    case ACK_RECEIVED:
    case ACK_SENT:
        terminate(CLOSING);
        break;
    default:
        break;
    }
}

static void timeout(void) {
    switch (state) {
    case CLOSING:
    case STOPPING:
        if (restarts > 0) {
            send_terminate_request();
        } else {
            this_layer_finished();
            state = state == CLOSING ? CLOSED : STOPPED;
        }
        break;
    case REQUEST_SENT:
    case ACK_RECEIVED:
        if (restarts > 0) {
            send_configure_request();
            state = REQUEST_SENT;
        } else {
            forget();
            this_layer_finished();
            state = STOPPED;
        }
        break;
    case ACK_SENT:
        if (restarts > 0) {
            send_configure_request();
        } else {
            forget();
            this_layer_finished();
            state = STOPPED;
        }
        break;
    default:
        break;
    }
}

// Whether the options that the peer asks for can be agreed to.
static int is_acceptable(void) {
    if (peer_unit < LEAST_UNIT)
        return 0;
    if (peer_magic == own_magic)
        return 0;
    return 1;
}

static void configure_request(void) {
    int is_good;
    if (state == INITIAL || state == STARTING)
        return;
    if (state == CLOSED) {
        send_terminate_ack();
        return;
    }
    if (state == CLOSING || state == STOPPING)
        return;
    if (state == OPENED) {
        this_layer_down();
        send_configure_request();
    }
    if (state == STOPPED) {
        initialise_restarts(MAX_CONFIGURE);
        send_configure_request();
    }
    peer_unit = input(0, LARGEST_UNIT);
    peer_magic = __VERIFIER_nondet_int();
    is_good = is_acceptable();
    if (is_good)
        send_configure_ack();
    else
        send_configure_nak();
    if (state == ACK_RECEIVED) {
        if (is_good) {
            this_layer_up();
            state = OPENED;
        }
    } else {
        state = is_good ? ACK_SENT : REQUEST_SENT;
    }
}

static void configure_ack(void) {
    switch (state) {
    case CLOSED:
    case STOPPED:
        send_terminate_ack();
        break;
    case REQUEST_SENT:
        initialise_restarts(MAX_CONFIGURE);
        is_acked_by_peer = 1;
        state = ACK_RECEIVED;
        break;
    case ACK_RECEIVED:
        send_configure_request();
        state = REQUEST_SENT;
        break;
    case ACK_SENT:
        initialise_restarts(MAX_CONFIGURE);
        is_acked_by_peer = 1;
        this_layer_up();
        state = OPENED;
        break;
    case OPENED:
        this_layer_down();
        send_configure_request();
        is_acked_by_us = 0;
        state = REQUEST_SENT;
        break;
    default:
        break;
    }
}

// The peer wants other options: another number, or a unit that it can send.
static void adjust(void) {
    if (__VERIFIER_nondet_int())
        own_unit = input(LEAST_UNIT, LARGEST_UNIT);
    if (own_magic == peer_magic) {
        own_magic = __VERIFIER_nondet_int();
        if (own_magic == peer_magic)
            abort();
    }
}

static void configure_nak(void) {
    switch (state) {
    case CLOSED:
    case STOPPED:
        send_terminate_ack();
        break;
    case REQUEST_SENT:
        initialise_restarts(MAX_CONFIGURE);
        adjust();
        send_configure_request();
        break;
    case ACK_SENT:
        initialise_restarts(MAX_CONFIGURE);
        adjust();
        send_configure_request();
        break;
    case OPENED:
        this_layer_down();
        send_configure_request();
        is_acked_by_us = 0;
#ifdef FAULT
        state = ACK_SENT;
#else
        state = REQUEST_SENT;
#endif
        break;
    case ACK_RECEIVED:
        send_configure_request();
        state = REQUEST_SENT;
        break;
    default:
        break;
    }
}

static void terminate_request(void) {
    switch (state) {
    case CLOSED:
    case STOPPED:
    case CLOSING:
    case STOPPING:
        send_terminate_ack();
        break;
    case REQUEST_SENT:
    case ACK_RECEIVED:
    case ACK_SENT:
        forget();
        send_terminate_ack();
        state = REQUEST_SENT;
        break;
    case OPENED:
        this_layer_down();
        forget();
        restarts = 0;
        send_terminate_ack();
        state = STOPPING;
        break;
    default:
        break;
    }
}

static void terminate_ack(void) {
    switch (state) {
    case CLOSING:
        this_layer_finished();
        state = CLOSED;
        break;
    case STOPPING:
        this_layer_finished();
        state = STOPPED;
        break;
    case ACK_RECEIVED:
        is_acked_by_peer = 0;
        state = REQUEST_SENT;
        break;
    case OPENED:
        this_layer_down();
        send_configure_request();
        is_acked_by_us = 0;
        state = REQUEST_SENT;
        break;
    default:
        break;
    }
}

static void unknown_code(void) {
    if (state != INITIAL && state != STARTING)
        send_code_reject();
}

// The peer does not know a code: that can be a catastrophe.
static void code_reject(void) {
    int is_catastrophe = __VERIFIER_nondet_int() != 0;
    if (!is_catastrophe) {
        if (state == ACK_RECEIVED) {
            is_acked_by_peer = 0;
            state = REQUEST_SENT;
        }
        return;
    }
    switch (state) {
    case CLOSED:
    case CLOSING:
        this_layer_finished();
        state = CLOSED;
        break;
    case STOPPED:
    case STOPPING:
    case REQUEST_SENT:
    case ACK_RECEIVED:
    case ACK_SENT:
        forget();
        this_layer_finished();
        state = STOPPED;
        break;
    case OPENED:
        this_layer_down();
        terminate(STOPPING);
        break;
    default:
        break;
    }
}

static void echo_request(void) {
    if (state == OPENED)
        send_echo_reply();
}

int main(void) {
    own_magic = __VERIFIER_nondet_int();
    while (1) {
        int event = input(UP, ECHO_REQUEST);
        int is_agreed;
        switch (event) {
        case UP:
            up();
            break;
        case DOWN:
            down();
            break;
        case OPEN:
            open();
            break;
        case CLOSE:
            close();
            break;
        case TIMEOUT:
            timeout();
            break;
        case CONFIGURE_REQUEST:
            configure_request();
            break;
        case CONFIGURE_ACK:
            configure_ack();
            break;
        case CONFIGURE_NAK:
            configure_nak();
            break;
        case TERMINATE_REQUEST:
            terminate_request();
            break;
        case TERMINATE_ACK:
            terminate_ack();
            break;
        case UNKNOWN_CODE:
            unknown_code();
            break;
        case CODE_REJECT:
            code_reject();
            break;
        case ECHO_REQUEST:
            echo_request();
            break;
        }
        // Packets flow just after both sides agreed, and the magic numbers tell a loop.
        is_agreed = is_acked_by_us && is_acked_by_peer && peer_unit >= LEAST_UNIT && peer_magic != own_magic;
        assert(state == OPENED ? is_layer_up && is_agreed : !is_layer_up);
    }
}
