// From an FTP daemon: a password is compared with that of a line "name:password:number:..." of the file of users.
// Name and password are read into buffers of their own. With FAULT the password's has no room for its end.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);

#define LONGEST_NAME 5
#define LONGEST_PASSWORD 6
#define DIGITS 4
#define TRIES 3

char name[LONGEST_NAME + 1];
char password[LONGEST_PASSWORD + 1];
char given[LONGEST_PASSWORD + 1];

int number;

enum result { NOT_READ, BAD_LINE, LOCKED, WRONG, RIGHT };

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

// Reads a field of the line into its buffer, up to the colon behind it. Says whether it was one.
static int read_name(void) {
    int length = 0;
    char c = __VERIFIER_nondet_char();
    while (c != ':') {
        if (c == 0 || c == '\n' || length == LONGEST_NAME)
            return 0;
        name[length] = c;
        length++;
        c = __VERIFIER_nondet_char();
    }
    name[length] = 0;
    return 1;
}

static int read_password(void) {
    int length = 0;
    char c = __VERIFIER_nondet_char();
    while (c != ':') {
#ifdef FAULT
        if (c == 0 || c == '\n' || length > LONGEST_PASSWORD)
#else
        if (c == 0 || c == '\n' || length == LONGEST_PASSWORD)
#endif
            return 0;
        password[length] = c;
        length++;
        c = __VERIFIER_nondet_char();
    }
    password[length] = 0;
    return 1;
}

static int read_number(void) {
    int value = 0;
    for (int i = 0; i < DIGITS; i++) {
        char c = __VERIFIER_nondet_char();
        if (c < '0' || c > '9')
            break;
        value = 10 * value + (c - '0');
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
    if (!read_name() || !read_password())
        return BAD_LINE;
    number = read_number();
    assert(number >= 0 && number < 10000);
    if (password[0] == '*' || password[0] == '!')
        return LOCKED;
    return is_same() ? RIGHT : WRONG;
}

int main(void) {
    int tries = 0;
    enum result result = NOT_READ;
    while (tries < TRIES && result != RIGHT) {
        read_given();
        result = check_password();
        tries++;
    }
    assert(result != RIGHT || given[0] == password[0]);
    return 0;
}
