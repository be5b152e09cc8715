/* What is called at the end of the program, the last first. */

void __fathom_unsupported_more_than_32_functions_at_exit(void);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static void (*at_end[32])(void);
static int at_end_count;
static void (*at_quick_end[32])(void);
static int at_quick_end_count;

int __fathom_atexit(void (*function)(void), int fails)
{
    if (fails)
        return 1;
    __VERIFIER_atomic_begin();
    if (at_end_count == 32)
        __fathom_unsupported_more_than_32_functions_at_exit();
    at_end[at_end_count++] = function;
    __VERIFIER_atomic_end();
    return 0;
}

int __fathom_at_quick_exit_add(void (*function)(void), int fails)
{
    if (fails)
        return 1;
    __VERIFIER_atomic_begin();
    if (at_quick_end_count == 32)
        __fathom_unsupported_more_than_32_functions_at_exit();
    at_quick_end[at_quick_end_count++] = function;
    __VERIFIER_atomic_end();
    return 0;
}

void __fathom_at_exit(void)
{
    while (at_end_count > 0)
        at_end[--at_end_count]();
}

void __fathom_at_quick_exit(void)
{
    while (at_quick_end_count > 0)
        at_quick_end[--at_quick_end_count]();
}
