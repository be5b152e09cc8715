//! verdict: true
var x: int;

procedure set(n: int) returns (was: int)
  modifies x;
{
  was := x;
  x := n;
}

procedure main()
  modifies x;
{
  var r: int;
  x := 7;
  fork 1 set(8);
  join 1 assign r;
  assert r == 7 && x == 8;
}
