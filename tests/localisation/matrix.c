// Property: array-bounds
// Multiplies a matrix by a vector.
extern int __VERIFIER_nondet_int(void);

#define ROWS 3
#define COLUMNS 4

static int m[ROWS][COLUMNS];
static int v[COLUMNS];
static int out[ROWS];

static void fill(void)
{
    for (int r = 0; r < ROWS; r++)
        for (int c = 0; c < COLUMNS; c++)
            m[r][c] = r * 10 + c;
    for (int c = 0; c < COLUMNS; c++)
        v[c] = c + 1;
}

static void multiply(void)
{
    for (int r = 0; r < ROWS; r++) {
        int sum = 0;
        for (int c = 0; c < COLUMNS; c++)
            sum += m[r][c] * v[c];
        out[r] = sum;
    }
}

static int largest(void)
{
    int best = out[0];
    for (int r = 1; r < COLUMNS; r++) { // FAULT: r < ROWS
        if (out[r] > best)
            best = out[r];
    }
    return best;
}

int main(void)
{
    fill();
    int scale = __VERIFIER_nondet_int();
    if (scale < 1 || scale > 9)
        scale = 1;
    v[0] = scale;
    multiply();
    return largest() == 0;
}
