// Property: array-bounds
// A ring buffer of bytes between an interrupt handler and the main loop.
extern unsigned char __VERIFIER_nondet_uchar(void);

#define CAPACITY 8

struct ring {
    unsigned char data[CAPACITY];
    unsigned head;
    unsigned tail;
    unsigned count;
};

static struct ring rx;

static void ring_init(struct ring *r)
{
    r->head = 0;
    r->tail = 0;
    r->count = 0;
}

static int ring_put(struct ring *r, unsigned char byte)
{
    if (r->count == CAPACITY)
        return 0;
    r->data[r->head] = byte;
    r->head++;
    if (r->head > CAPACITY) // FAULT: >=
        r->head = 0;
    r->count++;
    return 1;
}

static int ring_get(struct ring *r, unsigned char *byte)
{
    if (r->count == 0)
        return 0;
    *byte = r->data[r->tail];
    r->tail++;
    if (r->tail >= CAPACITY)
        r->tail = 0;
    r->count--;
    return 1;
}

int main(void)
{
    unsigned char byte;
    unsigned sum = 0;
    ring_init(&rx);
    for (int round = 0; round < 4; round++) {
        for (int i = 0; i < 3; i++)
            ring_put(&rx, __VERIFIER_nondet_uchar());
        while (ring_get(&rx, &byte))
            sum += byte;
    }
    return (int)(sum & 0x7f);
}
