// Property: array-bounds
// Splits a line into words.
extern char __VERIFIER_nondet_char(void);

#define LINE 10
#define WORD 4

static char word[WORD + 1];
static int words;

static int is_space(char c)
{
    return c == ' ' || c == '\t';
}

static int next_word(const char *line, int at)
{
    int n = 0;
    while (line[at] != 0 && is_space(line[at]))
        at++;
    while (line[at] != 0 && !is_space(line[at])) {
        if (n <= WORD) // FAULT: n < WORD
            word[n++] = line[at];
        at++;
    }
    word[n] = 0;
    if (n > 0)
        words++;
    return at;
}

int main(void)
{
    char line[LINE];
    for (int i = 0; i < LINE - 1; i++)
        line[i] = __VERIFIER_nondet_char();
    line[LINE - 1] = 0;
    int at = 0;
    while (line[at] != 0)
        at = next_word(line, at);
    return words;
}
