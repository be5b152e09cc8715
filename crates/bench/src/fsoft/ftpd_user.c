// From an FTP daemon: a user whose name is in a file may not log in. Its lines are read one after the other, cut at
// their ends and compared without regard to case. With FAULT a line that has no end is cut behind the buffer.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);

#define LONGEST_LINE 10
#define LONGEST_NAME 8
#define LINES 3

char line[LONGEST_LINE];
char user[LONGEST_NAME + 1];

enum answer { ALLOWED, DENIED };

// Reads a line with its end, as fgets does. Says whether there was one.
static int read_line(void) {
    int length = 0;
    if (__VERIFIER_nondet_int())
        return 0;
    while (length < LONGEST_LINE - 1) {
        char c = __VERIFIER_nondet_char();
        if (c <= 0)
            break;
        line[length] = c;
        length++;
        if (c == '\n')
            break;
    }
    line[length] = 0;
    return 1;
}

// Cuts a line at its end.
static void cut(void) {
    int at = 0;
    while (line[at] != 0 && line[at] != '\n')
        at++;
    assert(at < LONGEST_LINE);
#ifdef FAULT
    if (line[at] == 0)
        at++;
#endif
    line[at] = 0;
}

static char lower(char c) {
    if (c >= 'A' && c <= 'Z')
        return c - 'A' + 'a';
    return c;
}

static int is_same(void) {
    int i = 0;
    while (i < LONGEST_NAME && line[i] != 0) {
        if (lower(line[i]) != user[i])
            return 0;
        i++;
    }
    return line[i] == 0 && user[i] == 0;
}

// The name that a client gives, in small letters.
static void read_name(void) {
    int length = 0;
    while (length < LONGEST_NAME) {
        char c = __VERIFIER_nondet_char();
        if (c < 'a' || c > 'z')
            break;
        user[length] = c;
        length++;
    }
    user[length] = 0;
}

static enum answer check_user(void) {
    int number = 0;
    while (read_line()) {
        number++;
        cut();
        if (line[0] == '#')
            continue;
        if (is_same())
            return DENIED;
        if (number == LINES)
            return ALLOWED;
    }
    return ALLOWED;
}

int main(void) {
    enum answer answer;
    read_name();
    answer = check_user();
    assert(answer != DENIED || (line[0] != '#' && line[0] != '\n'));
    return 0;
}
