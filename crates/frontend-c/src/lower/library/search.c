/* search.h: lists with links in both directions, and arrays that are searched from their start. */

typedef unsigned long size_t;
void *memcpy(void *, const void *, size_t);

struct element {
    struct element *next, *before;
};

void insque(void *element, void *before)
{
    struct element *own = element, *place = before;
    if (place == 0) {
        own->next = 0;
        own->before = 0;
        return;
    }
    struct element *next = place->next;
    place->next = own;
    own->before = place;
    own->next = next;
    if (next != 0)
        next->before = own;
}

void remque(void *element)
{
    struct element *own = element, *next = own->next, *before = own->before;
    if (next != 0)
        next->before = before;
    if (before != 0)
        before->next = next;
}

/* The array has room for one more. */
void *lsearch(const void *key, void *base, size_t *count, size_t size, int (*compare)(const void *, const void *))
{
    for (size_t i = 0; i < *count; i++) {
        char *element = (char *)base + i * size;
        if (compare(key, element) == 0)
            return element;
    }
    void *element = (char *)base + *count * size;
    memcpy(element, key, size);
    *count += 1;
    return element;
}
