//! verdict: true
//! decided-by: auto
procedure main(x: real, n: int)
{
  var y: real;
  assume x == 0.25;
  y := x * 2.0;
  assert y == 1 / 2;
  assert int(2.5) == 2 && real(n) + 1e-1 > real(n);
}
