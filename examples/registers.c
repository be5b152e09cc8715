// A driver for a serial peripheral over its registers: bit fields by masks, baud rate, a transmit loop with a limit.
// BUG 1: div-by-zero: a baud rate of zero is not refused
// BUG 2: shift-range: a field's position is taken from the configuration
// BUG 3: unreach-call: the value is not masked before it is put into its field
#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#ifndef BUG
#define BUG 0
#endif

#define USART_BASE 0x40011000u
#define REG(offset) (*(volatile uint32_t *)(USART_BASE + (offset)))
#define USART_SR REG(0x00u)
#define USART_DR REG(0x04u)
#define USART_BRR REG(0x08u)
#define USART_CR1 REG(0x0cu)

#define SR_TXE (1u << 7)
#define CR1_TE (1u << 3)
#define CR1_UE (1u << 13)

#define CLOCK 16000000u
#define TRIES 1000u

extern unsigned __VERIFIER_nondet_uint(void);

static uint32_t set_field(uint32_t word, unsigned position, unsigned width, uint32_t value) {
    uint32_t mask = ((1u << width) - 1u) << position;
#if BUG == 3
    uint32_t result = (word & ~mask) | (value << position);
#else
    uint32_t result = (word & ~mask) | ((value << position) & mask);
#endif
    assert((result & ~mask) == (word & ~mask));
    return result;
}

static bool set_baud(uint32_t rate) {
#if BUG != 1
    if (rate == 0 || rate > CLOCK / 16u)
        return false;
#endif
    uint32_t divider = (CLOCK + rate / 2u) / rate;
    USART_BRR = divider & 0xffffu;
    return true;
}

static bool transmit(uint8_t byte) {
    for (unsigned i = 0; i < TRIES; i++) {
        if (USART_SR & SR_TXE) {
            USART_DR = byte;
            return true;
        }
    }
    return false;
}

int main(void) {
    unsigned errors = 0;
    uint32_t configured = __VERIFIER_nondet_uint();
    if (!set_baud(configured))
        set_baud(9600);
    uint32_t control = USART_CR1;
#if BUG == 2
    control = set_field(control, configured & 63u, 2, 1);
#else
    control = set_field(control, 11, 2, configured);
#endif
    USART_CR1 = control | CR1_TE | CR1_UE;
    for (uint8_t c = 'a';; c = c == 'z' ? 'a' : (uint8_t)(c + 1)) {
        assert(c >= 'a' && c <= 'z');
        if (!transmit(c) && errors < 255u)
            errors++;
    }
}
