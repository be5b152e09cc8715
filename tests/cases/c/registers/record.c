//! property: valid-deref
//! verdict: true
//! decided-by: auto
// Registers as a struct, by a parameter, a variable and an index that is not constant.
typedef struct {
    volatile unsigned status;
    volatile unsigned data;
    volatile unsigned queue[4];
} uart;
#define UART ((uart *)0x40011000)

static uart *const other = (uart *)0x40012000;

static void put(uart *u, char c) {
    while (!(u->status & 0x80))
        ;
    u->data = c;
}

int main(void) {
    put(UART, 'a');
    put(other, 'b');
    UART->queue[UART->status & 3] = 1;
    return 0;
}
