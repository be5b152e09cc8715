//! verdict: true
//! decided-by: auto
//! property: valid-deref
struct tagged { const int tag; int value; };
const int first = 1;
int second = 2;
void set(const int *p) { *(int *)p = 4; }
int main(void)
{
    const int third = 3;
    int fourth = third;
    /* pointers to constants may point to variables */
    set(&second);
    set(&fourth);
    struct tagged t = { 1, 2 };
    t.value = first + third;
    const int *q = &third;
    return *q + t.tag;
}
