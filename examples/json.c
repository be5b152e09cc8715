// A scanner for JSON: it says whether a text is well formed, with a stack of fixed depth instead of recursion.
// BUG 1: array-bounds: the depth is compared after the bracket was stored
// BUG 2: valid-deref: an escape at the end of the text is stepped over
// BUG 3: unreach-call: a closing bracket is not compared with the opening one
#include <assert.h>
#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#ifndef BUG
#define BUG 0
#endif

#define DEPTH 8

struct scanner {
    const char *text;
    size_t length;
    size_t at;
    char stack[DEPTH];
    unsigned depth;
};

static bool push(struct scanner *s, char bracket) {
#if BUG == 1
    s->stack[s->depth++] = bracket;
    return s->depth <= DEPTH;
#else
    if (s->depth == DEPTH)
        return false;
    s->stack[s->depth++] = bracket;
    return true;
#endif
}

static bool pop(struct scanner *s, char bracket) {
    if (s->depth == 0)
        return false;
    s->depth--;
#if BUG == 3
    if (bracket == ']')
        assert(s->stack[s->depth] == '[');
    return true;
#else
    return s->stack[s->depth] == (bracket == ']' ? '[' : '{');
#endif
}

static bool skip_string(struct scanner *s) {
    s->at++;
    while (s->at < s->length && s->text[s->at] != '"') {
        if (s->text[s->at] == '\\')
            s->at++;
        s->at++;
    }
#if BUG == 2
    return s->text[s->at++] == '"';
#else
    if (s->at >= s->length)
        return false;
    s->at++;
    return true;
#endif
}

static bool scan(struct scanner *s) {
    while (s->at < s->length) {
        char c = s->text[s->at];
        if (c == '"') {
            if (!skip_string(s))
                return false;
            continue;
        }
        if ((c == '[' || c == '{') && !push(s, c))
            return false;
        if ((c == ']' || c == '}') && !pop(s, c))
            return false;
        s->at++;
    }
    return s->depth == 0;
}

int main(void) {
    static char text[32];
    size_t length = fread(text, 1, sizeof text, stdin);
    struct scanner s = {text, length, 0, {0}, 0};
    bool good = scan(&s);
    assert(s.depth <= DEPTH);
    assert(!good || s.depth == 0);
    puts(good ? "well formed" : "not well formed");
    return !good;
}
