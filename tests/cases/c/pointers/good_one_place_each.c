//! verdict: true
//! decided-by: auto
extern void reach_error(void);
int a[2], b[2], c[2];
int main(void) {
    int *end = a + 2;
    if (end == b && end == c) reach_error();
    if (end == c && b + 2 == c) reach_error();
    if (a + 2 == b && b + 2 == a) reach_error();
    return 0;
}
