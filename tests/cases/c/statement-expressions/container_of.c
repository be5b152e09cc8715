//! run: 21
// The macro that finds the object around a member.
#include <stdio.h>
#include <stddef.h>

#define container_of(ptr, type, member) ({ \
        const __typeof__(((type *)0)->member) *_p = (ptr); \
        (type *)((char *)_p - offsetof(type, member)); })

struct list { struct list *next; };
struct item { int value; struct list link; };

int main(void) {
    struct item a = {1, {0}}, b = {2, {&a.link}};
    int sum = 0;
    for (struct list *l = &b.link; l; l = l->next)
        sum = sum * 10 + container_of(l, struct item, link)->value;
    printf("%d\n", sum);
    return 0;
}
