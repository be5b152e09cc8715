// A command's options: getopt, numbers with limits, a name that is copied into a buffer of fixed size.
// BUG 1: valid-deref: the name is copied without a look at its length
// BUG 2: div-by-zero: a width of zero is accepted
// BUG 3: null-deref: the file's name is used although none was given
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef BUG
#define BUG 0
#endif

#define NAME_SIZE 16

struct options {
    long width;
    int verbose;
    char name[NAME_SIZE];
    const char *file;
};

static int number(const char *text, long low, long high, long *out) {
    char *end;
    errno = 0;
    long value = strtol(text, &end, 10);
    if (end == text || *end != '\0' || errno == ERANGE)
        return -1;
    if (value < low || value > high)
        return -1;
    *out = value;
    return 0;
}

static int parse(struct options *o, int argc, char **argv) {
    int c;
    while ((c = getopt(argc, argv, "vw:n:")) != -1) {
        switch (c) {
        case 'v':
            o->verbose = 1;
            break;
        case 'w':
#if BUG == 2
            if (number(optarg, 0, 200, &o->width) != 0)
#else
            if (number(optarg, 1, 200, &o->width) != 0)
#endif
                return -1;
            break;
        case 'n':
#if BUG == 1
            strcpy(o->name, optarg);
#else
            if (strlen(optarg) >= NAME_SIZE)
                return -1;
            strcpy(o->name, optarg);
#endif
            break;
        default:
            return -1;
        }
    }
    if (optind < argc)
        o->file = argv[optind];
    return 0;
}

int main(int argc, char **argv) {
    struct options o = {80, 0, "none", NULL};
    if (parse(&o, argc, argv) != 0) {
        fprintf(stderr, "usage: %s [-v] [-w width] [-n name] [file]\n", argc > 0 ? argv[0] : "options");
        return 2;
    }
#if BUG == 3
    size_t length = strlen(o.file);
#else
    size_t length = o.file ? strlen(o.file) : 0;
#endif
    printf("%s: %ld lines\n", o.name, (long)length / o.width);
    return 0;
}
