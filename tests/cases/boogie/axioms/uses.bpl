//! verdict: true
//! decided-by: predicate
type Shape;
const unique square: Shape
uses {
  axiom corners(square) == 4;
}
function {:extern} corners(s: Shape): int;
function corners(s: Shape): int uses { axiom corners(square) > 0; }

procedure main()
{
  assert corners(square) == 4;
}
