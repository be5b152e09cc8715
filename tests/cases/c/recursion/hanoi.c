//! run: 63 0 0 6
// Three pegs, moves counted and recorded in an array.
#include <stdio.h>

static int pegs[3], moves;

static void hanoi(int n, int from, int to, int via) {
    if (n == 0)
        return;
    hanoi(n - 1, from, via, to);
    pegs[from]--;
    pegs[to]++;
    moves++;
    hanoi(n - 1, via, to, from);
}

int main(void) {
    pegs[0] = 6;
    hanoi(6, 0, 2, 1);
    printf("%d %d %d %d\n", moves, pegs[0], pegs[1], pegs[2]);
    return 0;
}
