//! verdict: true
//! decided-by: auto
//! property: valid-deref
struct s { int a[3]; };
struct s make(int x)
{
    return (struct s){ { 1, x, 3 } };
}
int sum(const int *p) { return p[0] + p[1] + p[2]; }
int main(void)
{
    /* as long as the full expression */
    int t = sum(make(1).a) + make(2).a[1];
    while (make(t).a[1] > 5)
        t--;
    if (make(t).a[1] == 5 && sum(make(t).a) == 9)
        t = 0;
    switch (make(t).a[1]) {
    case 0:
        t += make(3).a[2];
    }
    /* as long as the block */
    int *p = (int[]){ 1, 2 };
    if (1) {
        int *q = (int[]){ 3, 4 };
        p[0] = q[1];
    }
    for (p = (int[]){ 5, 6 }; p[0] < 8; p[0]++)
        t += p[1];
    return t;
}
