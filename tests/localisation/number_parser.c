// Property: no-overflow
// Parses a decimal number with saturation.
extern char __VERIFIER_nondet_char(void);

#define LIMIT 2147483647

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static int parse(const char *text, int length, int *ok)
{
    int value = 0;
    int digits = 0;
    *ok = 0;
    for (int i = 0; i < length && text[i] != 0; i++) {
        if (!is_digit(text[i]))
            return 0;
        int digit = text[i] - '0';
        if (value > LIMIT / 10) // FAULT: the last digit is not considered (value > (LIMIT - digit) / 10)
            return LIMIT;
        value = value * 10 + digit;
        digits++;
    }
    *ok = digits > 0;
    return value;
}

int main(void)
{
    char line[12] = "214748364";
    int ok;
    line[9] = __VERIFIER_nondet_char();
    line[10] = 0;
    int value = parse(line, 11, &ok);
    return ok ? value % 7 : 0;
}
