//! property: valid-memcleanup
//! verdict: false(valid-memcleanup)
//! decided-by: auto
//! model: lp64
extern void *malloc(unsigned long);

int main(void) {
    int **p = __builtin_alloca(sizeof(int *));
    *p = malloc(4);
    return 0;
}
