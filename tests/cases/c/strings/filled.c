//! verdict: true
//! property: valid-deref
//! decided-by: auto
#include <stdio.h>
#include <string.h>
int main(void)
{
    char text[200], copy[200];
    memset(text, 'A', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    snprintf(copy, sizeof copy, "%s", text);
    return strlen(copy) != 199;
}
