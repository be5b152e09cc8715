/* Memory from the system: fresh objects at the start of a page, with zeros unless they show a file. */

typedef unsigned long size_t;
_Bool __VERIFIER_nondet_bool(void);
void *memset(void *, int, size_t);
void *__fathom_pages(size_t);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void __fathom_fail(void);
void __fathom_set_errno(int);
void __fathom_close_stream(void *);
void __fathom_unsupported_memory_at_an_address_of_the_user(void);
void __fathom_unsupported_more_than_16_mappings(void);
void __fathom_unsupported_an_unmapping_of_a_part(void);
void __fathom_unsupported_memory_that_is_shared_with_other_processes(void);
void __fathom_unsupported_memory_that_must_not_be_accessed(void);

enum { FIXED = 0x10, ANONYMOUS = 0x20, SHARED = 1, FIXED_NOREPLACE = 0x100000, MOST = 16 };
static struct {
    void *start;
    size_t length;
} mappings[MOST];
static int count;

static size_t pages(size_t length)
{
    return (length + 4095) & ~(size_t)4095;
}

void *mmap(void *address, size_t length, int protection, int flags, int file, long offset)
{
    if (flags & (FIXED | FIXED_NOREPLACE))
        __fathom_unsupported_memory_at_an_address_of_the_user();
    if (flags & SHARED)
        __fathom_unsupported_memory_that_is_shared_with_other_processes();
    if ((protection & 3) != 3)
        __fathom_unsupported_memory_that_must_not_be_accessed();
    if (length == 0) {
        __fathom_set_errno(22);
        return (void *)-1;
    }
    if (length >= (size_t)-1 >> 1 || __VERIFIER_nondet_bool()) {
        __fathom_fail();
        return (void *)-1;
    }
    length = pages(length);
    void *start = __fathom_pages(length);
    if (flags & ANONYMOUS)
        memset(start, 0, length);
    __VERIFIER_atomic_begin();
    if (count == MOST)
        __fathom_unsupported_more_than_16_mappings();
    mappings[count].start = start;
    mappings[count].length = length;
    count++;
    __VERIFIER_atomic_end();
    return start;
}

void *mmap64(void *address, size_t length, int protection, int flags, int file, long long offset)
{
    return mmap(address, length, protection, flags, file, 0);
}

int munmap(void *start, size_t length)
{
    int i = 0;
    __VERIFIER_atomic_begin();
    while (i < count && (mappings[i].start != start || mappings[i].length != pages(length)))
        i++;
    if (i == count)
        __fathom_unsupported_an_unmapping_of_a_part();
    mappings[i].start = 0;
    __VERIFIER_atomic_end();
    __fathom_close_stream(start);
    return 0;
}
