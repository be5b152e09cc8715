//! verdict: true
//! decided-by: auto
// Nothing that is open makes a difference: the results of inputs are not used, and sizes of objects are not asked about.
extern int __VERIFIER_nondet_int(void);
void reach_error(void);

int main(void) {
    int sorted[6] = {5, 3, 4, 1, 2, 0};
    int unread;
    for (int i = 0; i < 6; i++) {
        unread = __VERIFIER_nondet_int();
        for (int j = 0; j + 1 < 6; j++)
            if (sorted[j] > sorted[j + 1]) {
                int t = sorted[j];
                sorted[j] = sorted[j + 1];
                sorted[j + 1] = t;
            }
    }
    for (int i = 0; i < 6; i++)
        if (sorted[i] != i)
            reach_error();
    return 0;
}
