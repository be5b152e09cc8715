// A parser for INI files that is fed character by character: sections, keys and values of limited length.
// BUG 1: div-by-zero: the mean length of the values is printed although there were none
// BUG 2: null-deref: an event that nobody listens to is reported
// BUG 3: uninitialised: the section's name is compared before a section was seen
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#ifndef BUG
#define BUG 0
#endif

#define NAME 12

enum where { LINE_START, SECTION, KEY, VALUE, COMMENT };

struct ini {
    enum where where;
    unsigned used;
    char section[NAME];
    char key[NAME];
    char value[NAME];
    void (*on_value)(const struct ini *);
    void (*on_section)(const struct ini *);
};

static unsigned values, nets, characters;

static void count_value(const struct ini *p) {
    if (values < 1000000u) {
        values++;
        characters += p->used;
    }
    if (strcmp(p->section, "net") == 0 && nets < 1000000u)
        nets++;
}

static void init(struct ini *p) {
    p->where = LINE_START;
    p->used = 0;
#if BUG != 3
    p->section[0] = '\0';
#endif
    p->key[0] = '\0';
    p->value[0] = '\0';
    p->on_value = count_value;
    p->on_section = NULL;
}

static void append(struct ini *p, char *name, char c) {
    if (p->used < NAME - 1) {
        name[p->used++] = c;
        name[p->used] = '\0';
    }
}

static void begin(struct ini *p, enum where where, char *name) {
    p->where = where;
    p->used = 0;
    name[0] = '\0';
}

static void feed(struct ini *p, char c) {
    switch (p->where) {
    case LINE_START:
        if (c == '[') {
            begin(p, SECTION, p->section);
        } else if (c == ';' || c == '#') {
            p->where = COMMENT;
        } else if (c != '\n' && c != ' ') {
            begin(p, KEY, p->key);
            append(p, p->key, c);
        }
        break;
    case SECTION:
        if (c == ']') {
#if BUG != 2
            if (p->on_section)
#endif
                p->on_section(p);
            p->where = COMMENT;
        } else if (c != '\n') {
            append(p, p->section, c);
        }
        break;
    case KEY:
        if (c == '=')
            begin(p, VALUE, p->value);
        else if (c == '\n')
            p->where = LINE_START;
        else
            append(p, p->key, c);
        break;
    case VALUE:
        if (c == '\n') {
            p->on_value(p);
            p->where = LINE_START;
        } else {
            append(p, p->value, c);
        }
        break;
    case COMMENT:
        if (c == '\n')
            p->where = LINE_START;
        break;
    }
}

int main(void) {
    struct ini parser;
    int c;
    init(&parser);
    while ((c = getchar()) != EOF)
        feed(&parser, (char)c);
#if BUG == 1
    unsigned mean = characters / values;
#else
    unsigned mean = values ? characters / values : 0;
#endif
    printf("%u values of %u characters, %u of the net\n", values, mean, nets);
    return 0;
}
