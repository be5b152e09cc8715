//! verdict: true
//! decided-by: predicate
procedure main(a: int)
{
  var x: int;
  x := (var y, z := a + 1, 2; y * z);
  assert x == 2 * a + 2;
  // The inner name hides the outer one, and values are those outside.
  assert (var x := x + 1; (var x := x + 1; x)) == x + 2;
}
