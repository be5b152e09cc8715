/* Models of library functions beside the system's own, on random calls.

   The texts of the library are compiled with `model_` before the names that they define. `TEST(name)` begins a function that makes one random
   call of both and compares what they gave, wrote and left in errno; it is run CALLS times. */

#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <wchar.h>
#include <wctype.h>

enum { CALLS = 10000, ROOM = 64 };

void add_test(const char *name, void (*test)(void));
/* A number below `n`. */
uint64_t pick(uint64_t n);
uint64_t bits(void);
/* An integer that is likely to be special. */
int64_t integer(void);
double number(void);
float narrow(void);
/* A string of at most `most` characters of the set, which ends where nothing may be read. */
char *text(int area, size_t most, const char *set);
wchar_t *wide_text(int area, size_t most, const char *set);
/* Random bytes up to where nothing may be read. */
void *block(int area, size_t size);
/* Two arrays of ROOM bytes with the same random contents. */
extern char ours[ROOM], theirs[ROOM];
extern wchar_t our_wide[ROOM], their_wide[ROOM];
void prepare(void);

void differ(const char *what, long long model, long long real);
void same(long long model, long long real);
void same_sign(long long model, long long real);
void same_truth(long long model, long long real);
void same_bytes(const void *model, const void *real, size_t n);
void same_written(void);
void same_double(double model, double real);
void same_long_double(long double model, long double real);
/* Pointers into the same array, or null. */
void same_place(const void *model, const void *real);
/* Pointers into `ours` and `theirs`. */
void same_offset(const void *model, const void *real);

extern int our_errno, their_errno;
#define MODEL(call) ({ errno = 0; __typeof__(call) result_ = (call); our_errno = errno; result_; })
#define REAL(call) ({ errno = 0; __typeof__(call) result_ = (call); their_errno = errno; result_; })
void same_errno(void);

#define DECLARE(name) extern __typeof__(name) model_##name
#define TEST(name)                                                                                                     \
    static void test_##name(void);                                                                                     \
    __attribute__((constructor)) static void register_##name(void) { add_test(#name, test_##name); }                   \
    static void test_##name(void)

#define LETTERS "aAbB"
#define SOME "ab \tz,-9\xe4"
