/* Options of command lines, as glibc reads them: arguments that are no options are moved behind those that are, unless the options begin with
   `+` or `-`, or the environment has POSIXLY_CORRECT. */

typedef unsigned long size_t;
size_t strlen(const char *);
int strcmp(const char *, const char *);
int strncmp(const char *, const char *, size_t);
char *getenv(const char *);

char *optarg;
int optind = 1, opterr = 1, optopt = '?';

struct option {
    const char *name;
    int has_arg, *flag, val;
};

/* What is left of an argument with several options. */
static char *next;
/* The arguments that were skipped. */
static int first_skipped, last_skipped;
static _Bool begun;

/* Moves the arguments that were skipped behind the options that came after them. */
static void exchange(char **arguments)
{
    int skipped = last_skipped - first_skipped, moved = optind - last_skipped;
    for (int i = 0; i < moved; i++) {
        char *option = arguments[last_skipped + i];
        for (int j = last_skipped + i; j > first_skipped + i; j--)
            arguments[j] = arguments[j - 1];
        arguments[first_skipped + i] = option;
    }
    first_skipped += moved;
    last_skipped = first_skipped + skipped;
}

static int is_option(const char *argument)
{
    return argument[0] == '-' && argument[1] != 0;
}

static int long_option(int count, char **arguments, const char *options, const struct option *longs, int *index, int only,
                       const char *start)
{
    size_t length = 0;
    while (start[length] != 0 && start[length] != '=')
        length++;
    int found = -1, ambiguous = 0;
    for (int i = 0; longs[i].name != 0; i++)
        if (strncmp(longs[i].name, start, length) == 0) {
            if (longs[i].name[length] == 0) {
                found = i;
                ambiguous = 0;
                break;
            }
            if (found < 0)
                found = i;
            else if (only || longs[found].has_arg != longs[i].has_arg || longs[found].flag != longs[i].flag
                     || longs[found].val != longs[i].val)
                ambiguous = 1;
        }
    if (ambiguous) {
        next = 0;
        optind++;
        optopt = 0;
        return '?';
    }
    if (found < 0)
        return -2;
    optind++;
    next = 0;
    if (start[length] == '=') {
        if (longs[found].has_arg == 0) {
            optopt = longs[found].val;
            return '?';
        }
        optarg = (char *)start + length + 1;
    } else if (longs[found].has_arg == 1) {
        if (optind >= count) {
            optopt = longs[found].val;
            return options[0] == ':' ? ':' : '?';
        }
        optarg = arguments[optind++];
    }
    if (index != 0)
        *index = found;
    if (longs[found].flag != 0) {
        *longs[found].flag = longs[found].val;
        return 0;
    }
    return longs[found].val;
}

static int parse(int count, char **arguments, const char *options, const struct option *longs, int *index, int only)
{
    optarg = 0;
    if (count < 1)
        return -1;
    if (optind == 0 || !begun) {
        if (optind == 0)
            optind = 1;
        first_skipped = last_skipped = optind;
        next = 0;
        begun = 1;
    }
    int in_order = options[0] == '-', stops = options[0] == '+';
    if (!in_order && !stops)
        stops = getenv("POSIXLY_CORRECT") != 0;
    if (options[0] == '-' || options[0] == '+')
        options++;
    if (next == 0 || *next == 0) {
        if (last_skipped > optind)
            last_skipped = optind;
        if (first_skipped > optind)
            first_skipped = optind;
        if (!in_order && !stops) {
            if (first_skipped != last_skipped && last_skipped != optind)
                exchange(arguments);
            else if (last_skipped != optind)
                first_skipped = optind;
            while (optind < count && !is_option(arguments[optind]))
                optind++;
            last_skipped = optind;
        }
        if (optind != count && strcmp(arguments[optind], "--") == 0) {
            optind++;
            if (first_skipped != last_skipped && last_skipped != optind)
                exchange(arguments);
            else if (first_skipped == last_skipped)
                first_skipped = optind;
            last_skipped = count;
            optind = count;
        }
        if (optind == count) {
            if (first_skipped != last_skipped)
                optind = first_skipped;
            return -1;
        }
        if (!is_option(arguments[optind])) {
            if (!in_order)
                return -1;
            optarg = arguments[optind++];
            return 1;
        }
        if (longs != 0) {
            if (arguments[optind][1] == '-') {
                int result = long_option(count, arguments, options, longs, index, only, arguments[optind] + 2);
                if (result != -2)
                    return result;
                optind++;
                next = 0;
                optopt = 0;
                return '?';
            }
            if (only) {
                char second = arguments[optind][1];
                int is_short = 0;
                for (size_t i = 0; options[i] != 0; i++)
                    if (options[i] == second)
                        is_short = 1;
                if (arguments[optind][2] != 0 || !is_short) {
                    int result = long_option(count, arguments, options, longs, index, only, arguments[optind] + 1);
                    if (result != -2)
                        return result;
                    if (!is_short) {
                        optind++;
                        next = 0;
                        optopt = 0;
                        return '?';
                    }
                }
            }
        }
        next = arguments[optind] + 1;
    }
    char c = *next++;
    size_t i = 0;
    while (options[i] != 0 && options[i] != c)
        i++;
    if (*next == 0)
        optind++;
    if (options[i] == 0 || c == ':' || c == ';') {
        optopt = c;
        return '?';
    }
    if (options[i + 1] == ':') {
        if (*next != 0) {
            optarg = next;
            optind++;
        } else if (options[i + 2] == ':') {
            optarg = 0;
        } else if (optind == count) {
            optopt = c;
            next = 0;
            return options[0] == ':' ? ':' : '?';
        } else {
            optarg = arguments[optind++];
        }
        next = 0;
    }
    return c;
}

/* Messages are not written. */
int getopt(int count, char **arguments, const char *options)
{
    return parse(count, arguments, options, 0, 0, 0);
}

int getopt_long(int count, char **arguments, const char *options, const struct option *longs, int *index)
{
    return parse(count, arguments, options, longs, index, 0);
}

int getopt_long_only(int count, char **arguments, const char *options, const struct option *longs, int *index)
{
    return parse(count, arguments, options, longs, index, 1);
}
