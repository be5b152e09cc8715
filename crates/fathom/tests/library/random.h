/* Random calls of a function, whose results are printed as one number for every 1000: executed by the tool and by the machine, a program prints
   the same. */

#include <errno.h>
#include <stdint.h>
#include <stdio.h>

#ifndef CALLS
#define CALLS 10000
#endif

static uint64_t state;
static uint64_t sum;

static uint64_t bits(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static void add(uint64_t x)
{
    sum = (sum << 5 | sum >> 59) ^ x;
}

/* The functions run one after the other, each on the same data. */
#define TEST(name, call)                                                                                               \
    static void test_##name(void)                                                                                      \
    {                                                                                                                  \
        state = 88172645463325252u;                                                                                    \
        sum = 0;                                                                                                       \
        for (int i = 1; i <= CALLS; i++) {                                                                             \
            errno = 0;                                                                                                 \
            call;                                                                                                      \
            if (i % (CALLS / 10) == 0)                                                                                 \
                printf(#name " %d: %llx\n", i, (unsigned long long)sum);                                               \
        }                                                                                                              \
    }
