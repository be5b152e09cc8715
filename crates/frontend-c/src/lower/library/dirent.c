/* Directories: entries have arbitrary names. A directory is an object that nobody need free; one that was closed no longer lives. */

typedef unsigned long size_t;
_Bool __VERIFIER_nondet_bool(void);
int __VERIFIER_nondet_int(void);
long __VERIFIER_nondet_long(void);
void __VERIFIER_assume(int);
void __fathom_fail(void);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
int __fathom_descriptor(void);
void __fathom_close_descriptor(int);
void *__fathom_object(size_t);
void __fathom_stream(void *);
void __fathom_close_stream(void *);
int __fathom_looks_at_memory(void);
void __fathom_havoc(void *, unsigned long);

struct dirent {
    unsigned long number;
    long place;
    unsigned short length;
    unsigned char type;
    char name[256];
};

/* The entry is one object, filled anew by each call of readdir, that lives as long as its directory. */
struct directory {
    struct dirent *entry;
    /* The number of its file and 1, once it is known. */
    int file;
};

static void *new_directory(int file)
{
    if (__VERIFIER_nondet_bool()) {
        struct directory *directory = __fathom_object(sizeof *directory);
        directory->entry = __fathom_object(sizeof(struct dirent));
        directory->file = file + 1;
        return directory;
    }
    __fathom_fail();
    return 0;
}

void *opendir(const char *name)
{
    if (__fathom_looks_at_memory())
        for (size_t i = 0; name[i] != 0; i++)
            ;
    return new_directory(-1);
}

void *fdopendir(int file)
{
    return new_directory(file);
}

/* At the end, errno stays. */
struct dirent *readdir(void *directory)
{
    __fathom_stream(directory);
    if (!__VERIFIER_nondet_bool()) {
        if (__VERIFIER_nondet_bool())
            __fathom_fail();
        return 0;
    }
    struct dirent *entry = ((struct directory *)directory)->entry;
    __fathom_havoc(entry, sizeof *entry);
    __VERIFIER_assume(entry->name[0] != 0);
    entry->name[255] = 0;
    return entry;
}

int closedir(void *directory)
{
    __fathom_stream(directory);
    struct directory *own = directory;
    if (own->file != 0)
        __fathom_close_descriptor(own->file - 1);
    __fathom_close_stream(own->entry);
    __fathom_close_stream(directory);
    if (!__VERIFIER_nondet_bool())
        return 0;
    __fathom_fail();
    return -1;
}

void rewinddir(void *directory)
{
    __fathom_stream(directory);
}

void seekdir(void *directory, long place)
{
    __fathom_stream(directory);
}

long telldir(void *directory)
{
    __fathom_stream(directory);
    long place = __VERIFIER_nondet_long();
    __VERIFIER_assume(place >= 0);
    return place;
}

int dirfd(void *directory)
{
    __fathom_stream(directory);
    struct directory *own = directory;
    __VERIFIER_atomic_begin();
    int file = own->file;
    __VERIFIER_atomic_end();
    if (file == 0) {
        file = __fathom_descriptor() + 1;
        __VERIFIER_atomic_begin();
        own->file = file;
        __VERIFIER_atomic_end();
    }
    return file - 1;
}
