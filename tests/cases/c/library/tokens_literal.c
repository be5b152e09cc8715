//! property: valid-deref
//! verdict: false(valid-deref)
//! decided-by: auto
//! model: lp64
#include <string.h>

int main(void) {
    char *text = "a,b";
    return strtok(text, ",") == text;
}
