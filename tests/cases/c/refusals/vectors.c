//! verdict: unknown(unsupported: vectors, tests/cases/c/refusals/vectors.c:5)
typedef int v4 __attribute__((vector_size(16)));

int main(void) {
    v4 a = {1, 2, 3, 4}, b = a + a;
    if (b[3] == 8)
        __VERIFIER_error();
    return 0;
}
