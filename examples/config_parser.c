// Lines of the form `name = number` are read into a table of settings, each with its limits.
// BUG 1: valid-deref: blanks at the end of a line are cut off in front of its beginning
// BUG 2: null-deref: a name that is in no table is looked up
// BUG 3: unreach-call: the upper limit of a setting is not looked at
#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef BUG
#define BUG 0
#endif

struct setting {
    const char *name;
    long value;
    long low, high;
};

static struct setting settings[] = {
    {"port", 8080, 1, 65535},
    {"threads", 4, 1, 64},
    {"timeout", 30, 0, 3600},
};

#define COUNT (sizeof settings / sizeof settings[0])

static struct setting *find(const char *name) {
    for (size_t i = 0; i < COUNT; i++)
        if (strcmp(settings[i].name, name) == 0)
            return &settings[i];
    return NULL;
}

static char *trim(char *text) {
    while (isspace((unsigned char)*text))
        text++;
    size_t length = strlen(text);
#if BUG == 1
    while (isspace((unsigned char)text[length - 1]))
#else
    while (length > 0 && isspace((unsigned char)text[length - 1]))
#endif
        text[--length] = '\0';
    return text;
}

static int parse_line(char *line) {
    char *equals = strchr(line, '=');
    if (!equals)
        return -1;
    *equals = '\0';
    struct setting *setting = find(trim(line));
#if BUG != 2
    if (!setting)
        return -1;
#endif
    char *end;
    errno = 0;
    long value = strtol(equals + 1, &end, 10);
    if (end == equals + 1 || errno != 0)
        return -1;
#if BUG == 3
    if (value < setting->low)
#else
    if (value < setting->low || value > setting->high)
#endif
        return -1;
    setting->value = value;
    return 0;
}

int main(void) {
    char line[32];
    int errors = 0;
    while (fgets(line, sizeof line, stdin)) {
        if (line[0] == '#')
            continue;
        if (parse_line(line) != 0 && errors < 100)
            errors++;
    }
    for (size_t i = 0; i < COUNT; i++) {
        assert(settings[i].value >= settings[i].low && settings[i].value <= settings[i].high);
        printf("%s = %ld\n", settings[i].name, settings[i].value);
    }
    return errors > 0;
}
