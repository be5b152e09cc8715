//! verdict: false(unreach-call)
//! decided-by: auto
//! with: two_files_other.c
// A contract of one file holds for the function that another defines.
int quotient(int a, int b) __fathom_requires(b != 0);
int main(void) { return quotient(1, 0); }
