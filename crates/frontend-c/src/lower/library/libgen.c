/* Names of files, taken apart. */

typedef unsigned long size_t;
size_t strlen(const char *);
char *strrchr(const char *, int);

static char dot[2];

static char *just_dot(void)
{
    dot[0] = '.';
    dot[1] = 0;
    return dot;
}

/* GNU's, which changes nothing. */
char *basename(const char *path)
{
    char *slash = strrchr(path, '/');
    return slash != 0 ? slash + 1 : (char *)path;
}

/* POSIX's, which cuts slashes off. */
char *__xpg_basename(char *path)
{
    if (path == 0 || path[0] == 0)
        return just_dot();
    size_t end = strlen(path);
    while (end > 1 && path[end - 1] == '/')
        end--;
    if (path[end] != 0 && path[end - 1] != '/')
        path[end] = 0;
    else if (path[end - 1] == '/')
        return path + strlen(path) - 1;
    size_t start = end;
    while (start > 0 && path[start - 1] != '/')
        start--;
    return path + start;
}

char *dirname(char *path)
{
    if (path == 0 || path[0] == 0)
        return just_dot();
    size_t end = strlen(path);
    while (end > 0 && path[end - 1] == '/')
        end--;
    while (end > 0 && path[end - 1] != '/')
        end--;
    if (end == 0 && path[0] != '/')
        return just_dot();
    size_t slashes = end;
    while (slashes > 0 && path[slashes - 1] == '/')
        slashes--;
    if (slashes == 0) {
        /* Two slashes may mean something else than one. */
        size_t first = 0;
        while (path[first] == '/')
            first++;
        path[first == 2 ? 2 : 1] = 0;
    } else {
        path[slashes] = 0;
    }
    return path;
}
