//! verdict: true
//! decided-by: auto
function {:inline} max(x: int, y: int): int { if x > y then x else y }
function plus(x: int, y: int): int;
axiom (forall x, y: int :: {plus(x, y)} plus(x, y) == x + y);
const limit: int;
axiom limit == plus(3, 4);

procedure main(n: int)
{
  assert max(n, limit) >= 7;
}
