//! error: 5:16 `b` is not declared
//! error: 9:5 `c` is not declared
//! error: 10:12 `d` is not declared
int f(int a) {
    return a + b;
}

int main(void) {
    c = f(1);
    return d.x;
}
