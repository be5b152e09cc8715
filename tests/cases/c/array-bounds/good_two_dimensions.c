//! property: array-bounds
//! verdict: true
//! decided-by: auto
//! model: lp64
int main(void) {
    int a[2][3] = {{0}};
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 3; j++)
            a[i][j] = i + j;
    return a[1][2] - 3;
}
