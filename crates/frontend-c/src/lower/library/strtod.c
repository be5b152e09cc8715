/* Floats from strings. A number of few digits and a small exponent is computed; of others only the range is known, and coming to an error
   behind them says nothing. */

typedef unsigned long size_t;
_Bool __VERIFIER_nondet_bool(void);
double __VERIFIER_nondet_double(void);
void __VERIFIER_assume(int);
void __fathom_set_errno(int);
void __fathom_made_up(void);
void __fathom_unsupported_a_hexadecimal_floating_point_number(void);

static _Bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Whether a word in lower case stands there. */
static size_t word(const char *s, const char *expected)
{
    size_t n = 0;
    while (expected[n] != 0 && (s[n] == expected[n] || s[n] == expected[n] - 'a' + 'A'))
        n++;
    return expected[n] == 0 ? n : 0;
}

struct decimal {
    unsigned long long digits;
    int exponent, count;
    _Bool negative, is_infinite, is_nan;
};

/* Reads a number; gives where it ends, or 0 if there is none. */
static size_t read_number(const char *s, struct decimal *to)
{
    size_t i = 0, length;
    _Bool found = 0;
    to->digits = 0;
    to->exponent = 0;
    to->count = 0;
    to->negative = 0;
    to->is_infinite = 0;
    to->is_nan = 0;
    while (s[i] == ' ' || (s[i] >= '\t' && s[i] <= '\r'))
        i++;
    if (s[i] == '+' || s[i] == '-')
        to->negative = s[i++] == '-';
    if ((length = word(s + i, "infinity")) != 0 || (length = word(s + i, "inf")) != 0) {
        to->is_infinite = 1;
        return i + length;
    }
    if (word(s + i, "nan") != 0) {
        to->is_nan = 1;
        i += 3;
        if (s[i] == '(') {
            size_t j = i + 1;
            while (is_digit(s[j]) || (s[j] >= 'a' && s[j] <= 'z') || (s[j] >= 'A' && s[j] <= 'Z') || s[j] == '_')
                j++;
            if (s[j] == ')')
                i = j + 1;
        }
        return i;
    }
    if (s[i] == '0' && (s[i + 1] == 'x' || s[i + 1] == 'X'))
        __fathom_unsupported_a_hexadecimal_floating_point_number();
    for (_Bool behind = 0; is_digit(s[i]) || (s[i] == '.' && !behind); i++) {
        if (s[i] == '.') {
            behind = 1;
            continue;
        }
        found = 1;
        if (to->count < 18) {
            to->digits = to->digits * 10 + (unsigned)(s[i] - '0');
            to->count += to->digits != 0;
            to->exponent -= behind;
        } else {
            to->count = 19;
        }
    }
    if (!found)
        return 0;
    if (s[i] == 'e' || s[i] == 'E') {
        size_t j = i + 1;
        _Bool below = 0;
        if (s[j] == '+' || s[j] == '-')
            below = s[j++] == '-';
        if (is_digit(s[j])) {
            int exponent = 0;
            for (; is_digit(s[j]); j++)
                exponent = exponent < 100000 ? exponent * 10 + (s[j] - '0') : exponent;
            to->exponent += below ? -exponent : exponent;
            i = j;
        }
    }
    return i;
}

/* A number that is not negative. */
static double some_number(double smallest)
{
    double result = __VERIFIER_nondet_double();
    __fathom_made_up();
    __VERIFIER_assume(result >= 0);
    if (result - result != 0 || (result < smallest && __VERIFIER_nondet_bool()))
        __fathom_set_errno(34);
    return result;
}

double strtod(const char *s, char **end)
{
    struct decimal number;
    size_t length = read_number(s, &number);
    double result;
    if (end != 0)
        *end = (char *)s + length;
    if (number.is_nan)
        return 0.0 / 0.0;
    if (number.is_infinite)
        result = 1.0 / 0.0;
    else if (length == 0)
        return 0;
    else if (number.digits == 0 && number.count == 0)
        result = 0;
    else if (number.count <= 15 && number.exponent >= -22 && number.exponent <= 22) {
        /* Both are exact, so there is one rounding. */
        double scale = 1;
        for (int i = number.exponent < 0 ? -number.exponent : number.exponent; i > 0; i--)
            scale *= 10;
        result = number.exponent < 0 ? number.digits / scale : number.digits * scale;
    } else
        result = some_number(0x1p-1021);
    return number.negative ? -result : result;
}

float strtof(const char *s, char **end)
{
    struct decimal number;
    size_t length = read_number(s, &number);
    float result;
    if (end != 0)
        *end = (char *)s + length;
    if (number.is_nan)
        return 0.0f / 0.0f;
    if (number.is_infinite)
        result = 1.0f / 0.0f;
    else if (length == 0)
        return 0;
    else if (number.digits == 0 && number.count == 0)
        result = 0;
    else if (number.count <= 7 && number.exponent >= -10 && number.exponent <= 10) {
        float scale = 1;
        for (int i = number.exponent < 0 ? -number.exponent : number.exponent; i > 0; i--)
            scale *= 10;
        result = number.exponent < 0 ? number.digits / scale : number.digits * scale;
    } else {
        result = (float)some_number(0x1p-125);
        if (result - result != 0)
            __fathom_set_errno(34);
    }
    return number.negative ? -result : result;
}

double atof(const char *s)
{
    return strtod(s, 0);
}
