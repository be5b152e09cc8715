// From an FTP daemon: a password is compared with that of a line "name:password:number:..." of the file of users.
// Name and password are copied to buffers of their own. With FAULT the copy of the password has no room for its end.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);

#define LONGEST_LINE 14
#define LONGEST_NAME 5
#define LONGEST_PASSWORD 6
#define DIGITS 4
#define TRIES 3

char line[LONGEST_LINE];
char name[LONGEST_NAME + 1];
char password[LONGEST_PASSWORD + 1];
char given[LONGEST_PASSWORD + 1];

int number;

enum result { NO_LINE, BAD_LINE, LOCKED, WRONG, RIGHT };

static void read_line(void) {
    int length = 0;
    while (length < LONGEST_LINE - 1) {
        char c = __VERIFIER_nondet_char();
        if (c == 0 || c == '\n')
            break;
        line[length] = c;
        length++;
    }
    line[length] = 0;
}

static void read_given(void) {
    int length = 0;
    while (length < LONGEST_PASSWORD) {
        char c = __VERIFIER_nondet_char();
        if (c <= ' ')
            break;
        given[length] = c;
        length++;
    }
    given[length] = 0;
}

// Copies the field of the line that begins here. Says where the next one begins, or -1.
static int copy_name(void) {
    int length = 0;
    while (line[length] != ':') {
        if (line[length] == 0 || length == LONGEST_NAME)
            return -1;
        name[length] = line[length];
        length++;
    }
    name[length] = 0;
    return length + 1;
}

static int copy_password(int from) {
    int length = 0;
    while (line[from + length] != ':') {
        if (line[from + length] == 0)
            return -1;
#ifdef FAULT
        if (length > LONGEST_PASSWORD)
#else
        if (length == LONGEST_PASSWORD)
#endif
            return -1;
        password[length] = line[from + length];
        length++;
    }
    password[length] = 0;
    return from + length + 1;
}

static int read_number(int from) {
    int value = 0;
    for (int i = 0; i < DIGITS && line[from] >= '0' && line[from] <= '9'; i++) {
        value = 10 * value + (line[from] - '0');
        from++;
    }
    return value;
}

static int is_same(void) {
    int i = 0;
    while (i < LONGEST_PASSWORD && given[i] != 0) {
        if (given[i] != password[i])
            return 0;
        i++;
    }
    return given[i] == 0 && password[i] == 0;
}

static enum result check_password(void) {
    int at;
    read_line();
    if (line[0] == 0)
        return NO_LINE;
    at = copy_name();
    if (at < 0)
        return BAD_LINE;
    at = copy_password(at);
    if (at < 0)
        return BAD_LINE;
    assert(at < LONGEST_LINE);
    number = read_number(at);
    if (password[0] == '*' || password[0] == '!')
        return LOCKED;
    return is_same() ? RIGHT : WRONG;
}

int main(void) {
    int tries = 0;
    enum result result = NO_LINE;
    while (tries < TRIES && result != RIGHT) {
        read_given();
        result = check_password();
        tries++;
    }
    assert(result != RIGHT || given[0] == password[0]);
    return 0;
}
