//! error: 5:5 `x` is defined a second time
//! error: 11:5 `f` is defined a second time
//! error: 17:10 `y` is declared a second time in this scope
int x = 1;
int x = 2;

int f(void) {
    return 1;
}

int f(void) {
    return 2;
}

int main(void) {
    int y;
    char y;
    return x;
}
