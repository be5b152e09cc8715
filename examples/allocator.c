// An allocator over a static arena: aligned blocks, a mark to go back to, and a high-water mark.
// BUG 1: unreach-call: the room that is left is computed before the size is aligned
// BUG 2: unreach-call: going back to a mark does not look whether the mark is ahead
// BUG 3: null-deref: a block is used although there was no room
#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifndef BUG
#define BUG 0
#endif

#define ARENA 256u
#define ALIGN 8u

extern unsigned __VERIFIER_nondet_uint(void);

static _Alignas(8) unsigned char arena[ARENA];
static size_t used, highest;

static size_t aligned(size_t size) {
    return (size + ALIGN - 1u) & ~(size_t)(ALIGN - 1u);
}

static void *arena_take(size_t size) {
#if BUG == 1
    if (size > ARENA - used)
        return NULL;
    size = aligned(size) + ALIGN;
#else
    if (size > ARENA)
        return NULL;
    size = aligned(size);
    if (size > ARENA - used)
        return NULL;
#endif
    void *block = &arena[used];
    used += size;
    if (used > highest)
        highest = used;
    assert(used % ALIGN == 0);
    return block;
}

static void arena_reset(size_t mark) {
#if BUG != 2
    if (mark > used)
        return;
#endif
    used = mark;
}

int main(void) {
    for (;;) {
        size_t mark = used;
        unsigned size = __VERIFIER_nondet_uint() % 64u + 1u;
        unsigned char *block = arena_take(size);
#if BUG != 3
        if (!block) {
            arena_reset(0);
            continue;
        }
#endif
        memset(block, 0, size);
        block[size - 1] = 1;
        if (__VERIFIER_nondet_uint() % 2u)
            arena_reset(mark);
        if (__VERIFIER_nondet_uint() % 16u == 0)
            arena_reset((__VERIFIER_nondet_uint() % 1024u) & ~7u);
        assert(used <= ARENA && highest <= ARENA);
    }
}
