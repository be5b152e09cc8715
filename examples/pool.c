// A pool of blocks of one size with a free list of indices, as firmware without malloc has it.
// BUG 1: array-bounds: the mark of an empty list is used as an index
// BUG 2: unreach-call: a block is given back twice
// BUG 3: unreach-call: a block is handed out without counting it
#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#ifndef BUG
#define BUG 0
#endif

#define BLOCKS 8
#define NONE 0xffu

extern int __VERIFIER_nondet_int(void);

static uint8_t next_free[BLOCKS];
static bool taken[BLOCKS];
static uint8_t first;
static unsigned free_blocks;

static void pool_init(void) {
    for (unsigned i = 0; i < BLOCKS; i++) {
        next_free[i] = i + 1 < BLOCKS ? (uint8_t)(i + 1) : NONE;
        taken[i] = false;
    }
    first = 0;
    free_blocks = BLOCKS;
}

static uint8_t pool_take(void) {
    uint8_t block = first;
#if BUG != 1
    if (block >= BLOCKS)
        return NONE;
#endif
    first = next_free[block];
    taken[block] = true;
#if BUG == 3
    if (first != NONE)
        free_blocks--;
#else
    free_blocks--;
#endif
    return block;
}

static void pool_give(uint8_t block) {
    if (block >= BLOCKS)
        return;
#if BUG != 2
    if (!taken[block])
        return;
#endif
    taken[block] = false;
    next_free[block] = first;
    first = block;
    free_blocks++;
}

int main(void) {
    pool_init();
    uint8_t mine[4] = {NONE, NONE, NONE, NONE};
    for (int round = 0; round < 6; round++) {
        unsigned slot = (unsigned)__VERIFIER_nondet_int() % 4u;
        if (mine[slot] == NONE) {
            mine[slot] = pool_take();
        } else {
            pool_give(mine[slot]);
#if BUG != 2
            mine[slot] = NONE;
#endif
        }
        unsigned held = 0;
        for (unsigned i = 0; i < BLOCKS; i++)
            held += taken[i];
        assert(held + free_blocks == BLOCKS);
    }
    return 0;
}
