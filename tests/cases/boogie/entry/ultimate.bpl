//! verdict: true
//! decided-by: auto
// The entry of Ultimate's programs; their `main` is called by it.
var x: int;

procedure ULTIMATE.start()
  modifies x;
{
  x := 1;
  call main();
}

procedure main()
{
  assert x == 1;
}
