//! property: valid-deref
//! property: unreach-call
//! verdict: true
//! decided-by: auto
//! model: lp64
#include <assert.h>
#include <string.h>

int main(void) {
    char text[] = " a,b";
    char *first = strtok(text, " ,"), *second = strtok(0, " ,");
    assert(first == text + 1 && second == text + 3 && text[2] == 0);
    assert(strtok(0, " ,") == 0);
    char more[] = "x::y", *rest = more;
    assert(strsep(&rest, ":") == more && strsep(&rest, ":") == more + 2 && *strsep(&rest, ":") == 'y' && rest == 0);
}
