//! error: 7:5 this is read-only: its type is `const int`
//! error: 8:5 this cannot be assigned to
//! error: 10:5 an array cannot be assigned as a whole (its type is `int [3]`)
//! error: 11:5 this cannot be assigned to
int main(void) {
    const int c = 1;
    c = 2;
    3 = c;
    int a[3];
    a = 0;
    &c = 0;
    return 0;
}
