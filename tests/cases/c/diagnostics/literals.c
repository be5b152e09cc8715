//! error: 5:14 expected a character between the quotes
//! error: 6:13 the digit `9` does not occur in octal literals
//! error: 7:12 `abc` is no suffix of an integer literal
int main(void) {
    char c = '';
    int n = 09;
    return 12abc;
}
