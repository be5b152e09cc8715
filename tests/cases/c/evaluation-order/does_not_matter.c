//! verdict: true
//! decided-by: auto
//! assuming: nothing
// Ordinary code: calls that write what is their own, different variables, and members of other names.
#include <assert.h>
#include <stdio.h>
#include <string.h>

struct state { char *out; int at; int other; };
static int used, total;

static int shown(int x) {
    printf("%d\n", x);
    return x + 1;
}
static int copied(int x) {
    int own[4];
    for (int i = 0; i < 4; i++)
        own[i] = x;
    return own[2];
}
static void twice(int x, int *result) { *result = x * 2; }
static int by_helper(int x) {
    int result;
    twice(x, &result);
    return result;
}
static int counted(int x) {
    used = x;
    return x;
}
static int *slot(int *base, int i) { return base + i; }

int main(void) {
    int a[4], b[4] = {1, 2, 3, 4}, c[4] = {0};
    char text[8], *to = text;
    const char *from = "abc";
    for (int i = 0; i < 4; i++)
        a[i] = b[i] + c[i];
    printf("%d %d\n", shown(1), copied(2));
    int x = by_helper(1) + by_helper(2) + copied(3);
    while ((*to++ = *from++))
        ;
    struct state state = {text, 0, 1};
    state.out[state.at++] = shown(2);
    int i = 0, j = 0;
    a[i++] = b[j++];
    total += counted(3);
    x += strlen(text) + strcmp(text, "x") + shown(1) * shown(2);
    i = shown(i++);
    i = (i++, i + 1);
    *slot(a, 1) = copied(2);
    if (shown(1) && (i = copied(2)) > 1)
        x++;
    fprintf(stderr, "%d %s\n", by_helper(1), text);
    a[i & 3]++;
    assert(i == 2 && state.at == 1);
    return 0;
}
