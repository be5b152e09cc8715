//! property: null-deref
//! verdict: false(null-deref)
//! decided-by: auto
struct node { int value; struct node *next; };

int main(void) {
    struct node b = {2, 0}, a = {1, &b}, *p = &a;
    while (p->value != 3)
        p = p->next;
    return 0;
}
