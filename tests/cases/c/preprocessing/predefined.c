//! run: 10 main 1
//! run: 100 other.c
//! run: 1 1
//! run: 8 1
// Names that the compiler defines.
#include <stdio.h>
#include <string.h>

int main(void) {
    printf("%d %s %d\n", __LINE__, __func__, strstr(__FILE__, "predefined.c") != 0);
#line 100 "other.c"
    printf("%d %s\n", __LINE__, __FILE__);
    printf("%d %d\n", __STDC__, __STDC_VERSION__ >= 199901L);
    printf("%d %d\n", __CHAR_BIT__, (int)(__SIZEOF_POINTER__ == sizeof(void *)));
    return 0;
}
