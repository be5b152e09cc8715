// The byte behind an array is written through a pointer.
static char four[4];
int main(void) {
  char *p = four;
  p[4] = 1;
  return 0;
}
