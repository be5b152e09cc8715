//! verdict: true
//! decided-by: auto
// An implementation has names of its own for the parameters.
procedure twice(x: int) returns (y: int);
  ensures y == x + x;

implementation twice(a: int) returns (b: int)
{
  b := 2 * a;
}

procedure main()
{
  var r: int;
  call r := twice(4);
  assert r == 8;
}
