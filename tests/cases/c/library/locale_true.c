//! verdict: true
//! decided-by: auto
//! model: lp64
#include <assert.h>
#include <locale.h>

int main(void) {
    setlocale(LC_ALL, "");
    assert(localeconv()->decimal_point[0] == '.');
}
