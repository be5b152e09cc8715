//! property: valid-memsafety
//! verdict: false(valid-deref)
//! decided-by: auto
#include <alloca.h>
extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);

static int length(const char *s) {
    const char *p = s;
    while (*p != '\0') {
        p++;
    }
    return p - s;
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1) {
        n = 1;
    }
    char *s = alloca(n);
    for (int i = 0; i < n; i++) {
        s[i] = __VERIFIER_nondet_char();
    }
    return length(s) >= n;
}
