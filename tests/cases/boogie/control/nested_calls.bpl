//! verdict: true
//! decided-by: auto
procedure swap(a: int, b: int) returns (c: int, d: int)
{
  c, d := b, a;
}

procedure main()
{
  var x, y: int;
  havoc x, y;
  assume x < y;
  call x, y := swap(x, y);
  assert y < x;
}
