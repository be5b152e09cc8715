// From an FTP daemon: whether a user is in a group. The group is given by a line of the file of groups
// ("name:password:id:members"), whose third field and members are compared. With FAULT a number of four digits fills
// the buffer.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);

#define LONGEST_LINE 16
#define DIGITS 4

char line[LONGEST_LINE];

// Reads a line without its end, and no more than fits.
static int read_line(void) {
    int length = 0;
    while (length < LONGEST_LINE - 1) {
        char c = __VERIFIER_nondet_char();
        if (c == '\n' || c == 0)
            break;
        line[length] = c;
        length++;
    }
    line[length] = 0;
    return length;
}

// Where a field begins, or -1.
static int find_field(int number) {
    int at = 0;
    int colons = 0;
    while (colons < number) {
        if (line[at] == 0)
            return -1;
        if (line[at] == ':')
            colons++;
        at++;
    }
    return at;
}

// The number of a group, or -1.
static int group_number(int from) {
    char digits[DIGITS];
    int count = 0;
    int value = 0;
#ifdef FAULT
    while (count <= DIGITS) {
#else
    while (count < DIGITS) {
#endif
        char c = line[from + count];
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
    int field, number;
    read_line();
    field = find_field(2);
    if (field < 0)
        return 0;
    assert(field < LONGEST_LINE);
    number = group_number(field);
    assert(number >= -1 && number < 10000);
    return number == wanted;
}

int main(void) {
    return is_user_in_group(__VERIFIER_nondet_int());
}
