//! verdict: false(unreach-call)
//! decided-by: auto
procedure half(x: int) returns (y: int)
  requires x >= 0;
{
  y := x div 2;
}

procedure main()
{
  var r: int;
  call r := half(3);
  assert r == 1;
  call r := half(r - 2);
}
