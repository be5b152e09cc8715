//! property: valid-memsafety
//! verdict: true
//! decided-by: bounds, auto
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
    for (int i = 0; i < n - 1; i++) {
        s[i] = __VERIFIER_nondet_char();
    }
    s[n - 1] = '\0';
    return length(s) >= n;
}
