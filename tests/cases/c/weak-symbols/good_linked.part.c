int w = 3;
int f(void) { return 7; }
