//! verdict: false(unreach-call)
//! decided-by: auto
var x: int;

procedure increment() returns (seen: int)
  modifies x;
{
  seen := x;
  x := seen + 1;
}

procedure main()
  modifies x;
{
  var a, b: int;
  x := 0;
  par a := increment() | b := increment();
  assert a != b;
}
