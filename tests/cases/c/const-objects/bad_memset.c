//! verdict: false(valid-deref)
//! decided-by: auto
//! property: valid-deref
#include <string.h>
int main(void)
{
    const char text[] = "text";
    memset((void *)text, 0, 2);
}
