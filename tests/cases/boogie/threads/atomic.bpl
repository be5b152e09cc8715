//! verdict: true
var x: int;

procedure twice()
  modifies x;
{
  atomic {
    x := x + 1;
    x := x - 1;
  }
}

procedure main()
  modifies x;
{
  x := 0;
  fork 1 twice();
  assert x == 0;
}
