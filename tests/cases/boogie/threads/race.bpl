//! verdict: false(unreach-call)
//! decided-by: auto
var x: int;

procedure set()
  modifies x;
{
  x := 1;
}

procedure main()
  modifies x;
{
  x := 0;
  async call set();
  assert x == 0;
}
