//! error: 3:14 expected `;` after the declaration, found `return`
int main(void) {
    int x = 1
    return x;
}
