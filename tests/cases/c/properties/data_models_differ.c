//! verdict: false(unreach-call)
//! model: ilp32
//! decided-by: auto
extern void reach_error(void);

int main(void) {
    if (sizeof(long) == 4 && (unsigned long)-1 == 0xffffffff)
        reach_error();
    return 0;
}
