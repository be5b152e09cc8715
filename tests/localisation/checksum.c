// Property: unreach-call
// The Internet checksum: the one's complement of the one's complement sum.
#include <assert.h>
extern unsigned short __VERIFIER_nondet_ushort(void);

typedef unsigned short u16;
typedef unsigned int u32;

#define WORDS 3

static u32 add_words(const u16 *words, int n)
{
    u32 sum = 0;
    for (int i = 0; i < n; i++)
        sum += words[i];
    return sum;
}

static u16 fold(u32 sum)
{
    while (sum >> 16)
        sum = (sum & 0xffff) + (sum >> 15); // FAULT: sum >> 16
    return (u16)sum;
}

static u16 checksum(const u16 *words, int n)
{
    return (u16)~fold(add_words(words, n));
}

int main(void)
{
    u16 packet[WORDS + 1];
    for (int i = 0; i < WORDS; i++)
        packet[i] = __VERIFIER_nondet_ushort();
    packet[WORDS] = 0;
    packet[WORDS] = checksum(packet, WORDS + 1);
    u16 zero = checksum(packet, WORDS + 1);
    assert(zero == 0);
    return 0;
}
