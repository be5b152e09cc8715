//! error: 9:5 `two` takes 2 arguments, but 1 is given
//! error: 10:5 `two` takes 2 arguments, but 3 are given
//! error: 12:12 a value of type `int` is not a function
int two(int a, int b) {
    return a + b;
}

int main(void) {
    two(1);
    two(1, 2, 3);
    int n = 5;
    return n(2);
}
