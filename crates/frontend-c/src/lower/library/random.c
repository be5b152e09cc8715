/* Random numbers: which ones is left open, but for that equal seeds give equal sequences. A sequence that would have to be
   the same as one before is refused. */

unsigned __VERIFIER_nondet_uint(void);
void __VERIFIER_assume(int);
void __fathom_havoc(void *, unsigned long);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void __fathom_unsupported_a_sequence_of_random_numbers_that_is_repeated(void);

static _Bool drawn;
static unsigned seeds[8] = {1};
static int count = 1;

int rand(void)
{
    __VERIFIER_atomic_begin();
    drawn = 1;
    __VERIFIER_atomic_end();
    return __VERIFIER_nondet_uint() & 0x7fffffff;
}

long random(void)
{
    return rand();
}

void srand(unsigned seed)
{
    __VERIFIER_atomic_begin();
    if (!drawn)
        count = 0;
    for (int i = 0; i < count; i++)
        if (seeds[i] == seed)
            __fathom_unsupported_a_sequence_of_random_numbers_that_is_repeated();
    if (count == 8)
        __fathom_unsupported_a_sequence_of_random_numbers_that_is_repeated();
    seeds[count++] = seed;
    __VERIFIER_atomic_end();
}

void srandom(unsigned seed)
{
    srand(seed);
}

/* Numbers that nobody knows: there are no seeds. */
unsigned arc4random(void)
{
    return __VERIFIER_nondet_uint();
}

unsigned arc4random_uniform(unsigned bound)
{
    unsigned number = __VERIFIER_nondet_uint();
    if (bound < 2)
        return 0;
    __VERIFIER_assume(number < bound);
    return number;
}

void arc4random_buf(void *to, unsigned long size)
{
    __fathom_havoc(to, size);
}
