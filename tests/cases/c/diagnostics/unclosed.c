//! error: 4:18 expected `}`, found the end of the file
int main(void) {
    if (1) {
        return 0;
