//! verdict: true
// An access through null ends the execution.
extern void reach_error(void);
extern void *malloc(unsigned long);

struct pair {
    int first, second;
};

int main(void) {
    struct pair *p = malloc(sizeof *p);
    p->second = 1;
    if (!p || p->second != 1)
        reach_error();
    return 0;
}
