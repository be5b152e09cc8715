//! verdict: false(valid-deref)
//! decided-by: auto
//! property: valid-deref
/* A volatile object that is named alone is read. */
#include <stdlib.h>
int main(void)
{
    volatile int *p = malloc(4);
    if (!p)
        return 0;
    *p = 1;
    free((void *)p);
    *p;
}
