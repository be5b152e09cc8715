//! property: no-overflow
//! verdict: true
// A call through null ends the execution, as an access through null does; nothing else is left open by it.
struct device {
  void (*open)(void);
  void (*close)(void);
};
static int count;
static void open_it(void) { count = 1; }
static struct device device = {open_it, 0};
int main(void) {
  struct device *d = &device;
  d->open();
  d->close();
  return 2147483647 + count;
}
