//! error: 4:1 static assertion failed: int is too small
//! error: 8:20 the condition of a static assertion is not constant
_Static_assert(sizeof(int) == 4, "fine");
_Static_assert(sizeof(int) == 8, "int is too small");

int main(void) {
    int n = 1;
    _Static_assert(n, "not constant");
    return 0;
}
