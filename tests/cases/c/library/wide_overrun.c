//! property: valid-deref
//! verdict: false(valid-deref)
//! decided-by: auto
//! model: lp64
#include <wchar.h>

int main(void) {
    wchar_t to[4] = L"ab";
    wcsncat(to, L"cde", 3);
    return to[0];
}
