//! verdict: true
//! decided-by: auto
// The values of threads and the comparison of threads, by the names of threads.h.
#include <assert.h>
#include <threads.h>

static int calls;

static void count(void)
{
    calls++;
}

int main(void)
{
    once_flag once = ONCE_FLAG_INIT;
    call_once(&once, count);
    call_once(&once, count);
    assert(calls == 1);
    tss_t key;
    int value = 3;
    if (tss_create(&key, 0) == thrd_success) {
        assert(tss_get(key) == 0);
        if (tss_set(key, &value) == thrd_success)
            assert(*(int *)tss_get(key) == 3);
        tss_delete(key);
    }
    assert(thrd_equal(thrd_current(), thrd_current()));
    return 0;
}
