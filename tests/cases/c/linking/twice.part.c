int value = 1;
int function(void) { return 1; }
