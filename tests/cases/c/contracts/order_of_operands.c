//! verdict: true
//! decided-by: auto
//! assuming: operands are evaluated in gcc's order: tests/cases/c/contracts/order_of_operands.c:12:
// Whether the condition holds depends on which operand is evaluated first.
int level;
int raise(void) {
    level = 1;
    return 0;
}
int use(int n) __fathom_requires(level == 1 && n > 0) { return n; }
int main(void) {
    return raise() + use(3);
}
