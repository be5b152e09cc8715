// From an FTP daemon: whether a user is in a group. The group is given by a line of the file of groups
// ("name:password:id:members"), whose third field is read and compared. With FAULT a number of five digits fills the
// buffer.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);

#define LONGEST_LINE 16
#define DIGITS 4

// Reads up to the beginning of a field. Says whether there is one.
static int find_field(int number) {
    int at = 0;
    int colons = 0;
    while (colons < number) {
        char c = __VERIFIER_nondet_char();
        if (c == 0 || c == '\n' || at == LONGEST_LINE)
            return 0;
        if (c == ':')
            colons++;
        at++;
    }
    return 1;
}

// The number of a group, or -1.
static int group_number(void) {
    char digits[DIGITS];
    int count = 0;
    int value = 0;
#ifdef FAULT
    while (count <= DIGITS) {
#else
    while (count < DIGITS) {
#endif
        char c = __VERIFIER_nondet_char();
        if (c < '0' || c > '9')
            break;
        digits[count] = c;
        count++;
    }
    if (count == 0)
        return -1;
    for (int i = 0; i < count; i++)
        value = 10 * value + (digits[i] - '0');
    return value;
}

int is_user_in_group(int wanted) {
    int number;
    if (!find_field(2))
        return 0;
    number = group_number();
    assert(number >= -1 && number < 10000);
    return number == wanted;
}

int main(void) {
    return is_user_in_group(__VERIFIER_nondet_int());
}
