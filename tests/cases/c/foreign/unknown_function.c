//! verdict: false(unreach-call)
//! decided-by: predicate
//! arguments: --missing-bodies pure
// What a function without a body returns can be used.
extern void reach_error(void);

struct device {
    int id;
    struct device *parent;
};
extern struct device *find_device(int);

int main(void) {
    struct device *d = find_device(1);
    if (d && d->parent && d->parent->id == 4242 && d->id == 17)
        reach_error();
    return 0;
}
