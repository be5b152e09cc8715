// Property: unreach-call
// Checks that brackets match, with a stack.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

#define DEPTH 4
#define LENGTH 6

static char stack[DEPTH];
static int top;

static int push(char c)
{
    if (top == DEPTH)
        return 0;
    stack[top++] = c;
    return 1;
}

static int pop(char *c)
{
    if (top == 0)
        return 0;
    *c = stack[--top];
    return 1;
}

static int balanced(const char *text, int n)
{
    top = 0;
    for (int i = 0; i < n; i++) {
        char open = 0;
        if (text[i] == '(' || text[i] == '[') {
            if (!push(text[i]))
                return 0;
        } else if (text[i] == ')') {
            if (!pop(&open) || open != '(')
                return 0;
        } else if (text[i] == ']') {
            if (!pop(&open) || open != '[')
                return 0;
        }
    }
    return top >= 0; // FAULT: top == 0
}

int main(void)
{
    char text[LENGTH];
    int opened = 0;
    int closed = 0;
    for (int i = 0; i < LENGTH; i++) {
        switch (__VERIFIER_nondet_int()) {
        case 0: text[i] = '('; opened++; break;
        case 1: text[i] = '['; opened++; break;
        case 2: text[i] = ')'; closed++; break;
        case 3: text[i] = ']'; closed++; break;
        default: text[i] = 'x'; break;
        }
    }
    if (balanced(text, LENGTH))
        assert(opened == closed);
    return 0;
}
