//! property: valid-deref
//! property: unreach-call
//! verdict: true
//! decided-by: auto
//! model: lp64
#include <assert.h>
#include <wchar.h>

int main(void) {
    wchar_t to[8] = L"ab";
    wcsncat(to, L"cde", 2);
    assert(wcslen(to) == 4 && wcscmp(to, L"abcd") == 0);
    wmemset(to, L'x', 3);
    assert(to[2] == L'x' && to[3] == L'd' && wcschr(to, L'd') == to + 3);
    wcsncpy(to, L"q", 3);
    assert(to[0] == L'q' && to[1] == 0 && to[2] == 0 && to[3] == L'd');
}
