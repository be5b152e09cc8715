// From an FTP daemon: a user may log in only with a shell that a file lists. Lines may have comments, and blanks at
// both sides. With FAULT a line of nothing but a comment is cut before its beginning.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);

#define LONGEST_LINE 12
#define LONGEST_SHELL 8
#define LINES 3

char line[LONGEST_LINE];
char shell[LONGEST_SHELL + 1];

// Where the name in the line ends.
int end;

static int is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

// Reads a line from its first character that is no blank.
static int read_line(void) {
    int length = 0;
    if (__VERIFIER_nondet_int())
        return 0;
    while (length < LONGEST_LINE - 1) {
        char c = __VERIFIER_nondet_char();
        if (c == 0 || c == '\n')
            break;
        if (length == 0 && is_blank(c))
            continue;
        line[length] = c;
        length++;
    }
    line[length] = 0;
    return 1;
}

// Leaves a comment and the blanks before it away.
static void trim(void) {
    end = 0;
    while (line[end] != 0 && line[end] != '#')
        end++;
    line[end] = 0;
#ifdef FAULT
    while (is_blank(line[end - 1])) {
#else
    while (end > 0 && is_blank(line[end - 1])) {
#endif
        end--;
        line[end] = 0;
    }
    assert(end >= 0 && end < LONGEST_LINE);
}

static int is_listed(void) {
    int i = 0;
    if (end == 0)
        return 0;
    while (i < end && i < LONGEST_SHELL) {
        if (line[i] != shell[i])
            return 0;
        i++;
    }
    return i == end && shell[i] == 0;
}

// The shell of the user, an absolute path.
static void read_shell(void) {
    int length = 1;
    shell[0] = '/';
    while (length < LONGEST_SHELL) {
        char c = __VERIFIER_nondet_char();
        if (c == ':' || c <= ' ')
            break;
        shell[length] = c;
        length++;
    }
    shell[length] = 0;
}

static int check_shell(void) {
    for (int number = 0; number < LINES; number++) {
        if (!read_line())
            return 0;
        trim();
        if (is_listed()) {
            assert(line[0] == '/');
            return 1;
        }
    }
    return 0;
}

int main(void) {
    read_shell();
    return check_shell();
}
