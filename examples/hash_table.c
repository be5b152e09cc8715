// A hash table with open addressing: numbers are put in, found and removed, with marks for removed entries.
// BUG 1: array-bounds: the place is not reduced when the search goes on
// BUG 2: unreach-call: an entry is counted again when its value is replaced
// BUG 3: div-by-zero: the load is computed from the number of entries
#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#ifndef BUG
#define BUG 0
#endif

#define SLOTS 16u

extern unsigned __VERIFIER_nondet_uint(void);

enum mark { EMPTY, FULL, REMOVED };

struct slot {
    enum mark mark;
    uint32_t key;
    int value;
};

static struct slot slots[SLOTS];
static unsigned entries;

static unsigned hash(uint32_t key) {
    key ^= key >> 16;
    key *= 0x45d9f3bu;
    key ^= key >> 16;
    return key % SLOTS;
}

/* The slot of a key, or the number of slots. */
static unsigned find(uint32_t key) {
    unsigned at = hash(key);
    for (unsigned tries = 0; tries < SLOTS; tries++) {
        if (slots[at].mark == EMPTY)
            return SLOTS;
        if (slots[at].mark == FULL && slots[at].key == key)
            return at;
#if BUG == 1
        at++;
#else
        at = (at + 1u) % SLOTS;
#endif
    }
    return SLOTS;
}

static bool put(uint32_t key, int value) {
    unsigned at = find(key);
    if (at < SLOTS) {
        slots[at].value = value;
#if BUG == 2
        entries++;
#endif
        return true;
    }
    if (entries == SLOTS)
        return false;
    at = hash(key);
    while (slots[at].mark == FULL)
        at = (at + 1u) % SLOTS;
    slots[at].mark = FULL;
    slots[at].key = key;
    slots[at].value = value;
    entries++;
    return true;
}

static bool drop(uint32_t key) {
    unsigned at = find(key);
    if (at >= SLOTS)
        return false;
    slots[at].mark = REMOVED;
    if (entries > 0)
        entries--;
    return true;
}

static unsigned spread(void) {
#if BUG == 3
    return SLOTS * 100u / entries;
#else
    return entries ? SLOTS * 100u / entries : 0;
#endif
}

int main(void) {
    for (;;) {
        uint32_t key = __VERIFIER_nondet_uint() % 100u;
        switch (__VERIFIER_nondet_uint() % 3u) {
        case 0:
            put(key, (int)key + 1);
            break;
        case 1:
            drop(key);
            break;
        default:
            (void)find(key);
            break;
        }
        assert(entries <= SLOTS);
        (void)spread();
    }
}
