//! verdict: true
//! decided-by: auto
function id<a>(x: a): a { x }

procedure choose<a>(x: a, y: a) returns (z: a)
{
  if (*) { z := x; } else { z := id(y); }
}

procedure main()
{
  var i: int;
  var b: bool;
  call i := choose(1, 2);
  call b := choose(true, id(true));
  assert (i == 1 || i == 2) && b;
}
