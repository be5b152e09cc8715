// Small matrices with a stride, as a filter's code has them: product, transposition, trace.
// BUG 1: array-bounds: the product runs over the rows of the second matrix
// BUG 2: uninitialised: the sums of the product do not start at zero
// BUG 3: no-overflow: elements are not limited before they are multiplied
#include <assert.h>
#include <stdint.h>

#ifndef BUG
#define BUG 0
#endif

extern int __VERIFIER_nondet_int(void);

#define ROWS 3
#define COLS 4
#define LIMIT 10000

static int a[ROWS][COLS];
static int b[COLS][ROWS];

static int limited(int x) {
#if BUG == 3
    return x;
#else
    if (x > LIMIT)
        return LIMIT;
    if (x < -LIMIT)
        return -LIMIT;
    return x;
#endif
}

static void read_matrix(void) {
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLS; j++)
            a[i][j] = limited(__VERIFIER_nondet_int());
}

static void transpose(int from[ROWS][COLS], int to[COLS][ROWS]) {
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLS; j++)
            to[j][i] = from[i][j];
}

static void multiply(int x[ROWS][COLS], int y[COLS][ROWS], int product[ROWS][ROWS]) {
    for (int i = 0; i < ROWS; i++) {
        for (int j = 0; j < ROWS; j++) {
#if BUG != 2
            product[i][j] = 0;
#endif
#if BUG == 1
            for (int k = 0; k <= COLS; k++)
#else
            for (int k = 0; k < COLS; k++)
#endif
                product[i][j] += x[i][k] * y[k][j];
        }
    }
}

int main(void) {
    int square[ROWS][ROWS];
    int trace = 0;

    read_matrix();
    transpose(a, b);
    multiply(a, b, square);
    for (int i = 0; i < ROWS; i++) {
        assert(square[i][i] <= COLS * LIMIT * LIMIT);
        trace += square[i][i] / ROWS;
    }
    return trace == 0;
}
