/* The number of the last error. Other texts set it by __fathom_set_errno, which does nothing in programs that do not look at it. */

_Thread_local int __fathom_errno;

int *__errno_location(void)
{
    return &__fathom_errno;
}

int *__errno(void)
{
    return &__fathom_errno;
}
