// From an FTP daemon: a user may log in only with a shell that a file lists. Lines may have comments, and blanks at
// both sides. With FAULT a line of nothing but blanks is cut before its beginning.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);

#define LONGEST_LINE 12
#define LONGEST_SHELL 8
#define LINES 3

char line[LONGEST_LINE];
char shell[LONGEST_SHELL + 1];

// Where the name in the line begins and ends.
int begin, end;

static int read_line(void) {
    int length = 0;
    if (__VERIFIER_nondet_int())
        return 0;
    while (length < LONGEST_LINE - 1) {
        char c = __VERIFIER_nondet_char();
        if (c == 0 || c == '\n')
            break;
        line[length] = c;
        length++;
    }
    line[length] = 0;
    return 1;
}

static int is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

// Leaves a comment and blanks away.
static void trim(void) {
    begin = 0;
    while (is_blank(line[begin]))
        begin++;
    end = begin;
    while (line[end] != 0 && line[end] != '#')
        end++;
    line[end] = 0;
#ifdef FAULT
    while (is_blank(line[end - 1])) {
#else
    while (end > begin && is_blank(line[end - 1])) {
#endif
        end--;
        line[end] = 0;
    }
    assert(begin <= end && end < LONGEST_LINE);
}

static int is_listed(void) {
    int i = 0;
    if (begin == end)
        return 0;
    while (begin + i < end && i < LONGEST_SHELL) {
        if (line[begin + i] != shell[i])
            return 0;
        i++;
    }
    return begin + i == end && shell[i] == 0;
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
            assert(line[begin] == '/');
            return 1;
        }
    }
    return 0;
}

int main(void) {
    read_shell();
    return check_shell();
}
