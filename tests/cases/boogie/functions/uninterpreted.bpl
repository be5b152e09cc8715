//! verdict: true
function f(int): int;

procedure main(x: int, y: int)
{
  assert x != y || f(x) == f(y);
}
