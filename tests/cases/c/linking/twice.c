//! error: 6:5 `value` is defined in two files
//! error: 7:5 `function` is defined in two files
//! with: twice.part.c
int main(void);

int value = 2;
int function(void) { return 2; }
int main(void) { return function() + value; }
