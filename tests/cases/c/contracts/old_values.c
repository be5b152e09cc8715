//! verdict: true
//! decided-by: auto
//! arguments: --entry push --pointers separate
struct stack { int used; int items[4]; };
int push(struct stack *s, int item)
    __fathom_requires(s != 0)
    __fathom_requires(s->used >= 0 && s->used <= 4)
    __fathom_ensures(s->used == __fathom_old(s->used) + __fathom_result)
    __fathom_ensures(__fathom_result == 0 || s->items[__fathom_old(s->used)] == item)
{
    if (s->used == 4)
        return 0;
    s->items[s->used++] = item;
    item = 0;
    return 1;
}
