/* Strings that are taken apart: the functions write zeros into them. */

typedef unsigned long size_t;
size_t strspn(const char *, const char *);
size_t strcspn(const char *, const char *);

char *strtok_r(char *s, const char *separators, char **rest)
{
    if (s == 0)
        s = *rest;
    if (s == 0)
        return 0;
    s += strspn(s, separators);
    if (*s == 0) {
        *rest = s;
        return 0;
    }
    char *end = s + strcspn(s, separators);
    if (*end != 0)
        *end++ = 0;
    *rest = end;
    return s;
}

char *__strtok_r(char *s, const char *separators, char **rest)
{
    return strtok_r(s, separators, rest);
}

static char *token;

char *strtok(char *s, const char *separators)
{
    return strtok_r(s, separators, &token);
}

char *strsep(char **s, const char *separators)
{
    char *start = *s;
    if (start == 0)
        return 0;
    char *end = start + strcspn(start, separators);
    if (*end != 0) {
        *end = 0;
        *s = end + 1;
    } else {
        *s = 0;
    }
    return start;
}
