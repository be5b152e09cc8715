//! verdict: true
//! decided-by: auto
// A matrix of bytes between two numbers.
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
struct board { unsigned turns; unsigned char cell[3][3]; int winner; } board;
int main(void) {
  board.winner = -1;
  for (;;) {
    unsigned x = __VERIFIER_nondet_uint(), y = __VERIFIER_nondet_uint();
    if (x < 3 && y < 3) { board.cell[y][x] = 1; board.turns = (board.turns + 1) % 10; }
    assert(board.turns < 10 && board.winner == -1);
  }
}
