//! run: 7 18 29
// Three functions that call each other: an evaluator of expressions.
#include <stdio.h>

static const char *at;

static int sum(void);

static int atom(void) {
    int v = 0;
    if (*at == '(') {
        at++;
        v = sum();
        at++;
        return v;
    }
    while (*at >= '0' && *at <= '9')
        v = v * 10 + (*at++ - '0');
    return v;
}

static int product(void) {
    int v = atom();
    while (*at == '*') {
        at++;
        v *= atom();
    }
    return v;
}

static int sum(void) {
    int v = product();
    while (*at == '+' || *at == '-')
        v = *at++ == '+' ? v + product() : v - product();
    return v;
}

static int eval(const char *text) {
    at = text;
    return sum();
}

int main(void) {
    printf("%d %d %d\n", eval("1+2*3"), eval("(1+2)*(10-4)"), eval("2*(3+(4-1)*5)-7"));
    return 0;
}
