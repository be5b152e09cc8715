//! verdict: true
//! decided-by: auto
procedure main()
{
  var x, y: int;
  var m: [int]int;
  x, y := 1, 2;
  x, y := y, x;
  assert x == 2 && y == 1;
  m[x], x := x, 5;
  assert m[2] == 2 && x == 5;
}
