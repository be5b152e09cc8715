//! error: 11:13 a value of type `struct s` cannot initialise an object of type `int`
//! error: 12:9 a value of type `int` cannot be assigned to an object of type `struct s`
//! error: 14:9 `*` does not apply to operands of types `int *` and `int`
//! error: 15:14 `struct s` has no member `b`
struct s {
    int a;
};

int main(void) {
    struct s s = {1};
    int x = s;
    s = 3;
    int *p = &x;
    p = p * 2;
    return s.b;
}
