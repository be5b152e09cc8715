/* Functions on memory and integers that are expanded where they are called. */

#define _GNU_SOURCE
#include "random.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static unsigned char a[32], b[32];

static unsigned below(unsigned n)
{
    return (unsigned)(bits() >> 33) % n;
}

static void add_all(void)
{
    for (int i = 0; i < 32; i++)
        add(a[i]);
}

static void mark(void)
{
    unsigned char x = (unsigned char)bits(), y = (unsigned char)bits();
    a[below(32)] = x;
    b[below(32)] = y;
}

TEST(memcpy, mark(); int n = below(33); add(memcpy(a, b, n) == a); add_all())
TEST(mempcpy, mark(); int n = below(33); add((unsigned char *)mempcpy(a, b, n) - a); add_all())
TEST(memmove, mark(); int x = below(16); int y = below(16); int n = below(17); add((unsigned char *)memmove(a + x, a + y, n) - a); add_all())
TEST(bcopy, mark(); int x = below(16); int y = below(16); int n = below(17); bcopy(a + x, a + y, n); add_all())
TEST(memset, mark(); int x = below(16); int n = below(17); int c = (int)bits(); add((unsigned char *)memset(a + x, c, n) - a); add_all())
TEST(bzero, mark(); int x = below(16); int n = below(17); bzero(a + x, n); add_all())
TEST(calloc, int n = below(20); char *p = calloc(n, 3); for (int k = 0; k < 3 * n; k++) add(p[k]); free(p))
TEST(realloc, int n = 1 + below(20); int m = 1 + below(20); char *p = malloc(n); memset(p, 7, n); p = realloc(p, m); for (int k = 0; k < n && k < m; k++) add(p[k]); free(p))
TEST(reallocarray, int n = 1 + below(9); int m = 1 + below(9); char *p = malloc(n); memset(p, 7, n); p = reallocarray(p, m, 2); for (int k = 0; k < n && k < 2 * m; k++) add(p[k]); free(p))
TEST(abs, int x = (int)bits(); if (x == -2147483647 - 1) x = 0; add(abs(x)))
TEST(labs, long x = (long)bits() >> below(64); add(labs(x)))
TEST(llabs, long long x = (long long)bits() >> below(64); add(llabs(x)))
TEST(imaxabs, intmax_t x = (intmax_t)bits() >> below(64); add(imaxabs(x)))

int main(void)
{
    test_memcpy();
    test_mempcpy();
    test_memmove();
    test_bcopy();
    test_memset();
    test_bzero();
    test_calloc();
    test_realloc();
    test_reallocarray();
    test_abs();
    test_labs();
    test_llabs();
    test_imaxabs();
}
