//! verdict: false(unreach-call)
//! decided-by: stratified
// What the prelude says of `Rep` has nothing to do with the program, although both use `LEQ` and `ADD`. That `Rep` keeps its value
// begets terms without end for a solver that must mind it.
function {:inline true} LEQ(x: int, y: int) : bool { x <= y }
function {:inline true} ADD(x: int, y: int) : int { x + y }
function Base(int) : int;
function Rep(int, int) : int;
axiom (forall x: int :: {Base(x)} LEQ(Base(x), x));
axiom (forall n: int, x: int :: {Rep(n, x)} (exists k: int :: Rep(n, x) - x == n * k));
axiom (forall n: int, x: int, z: int :: {ADD(x, n * z)} Rep(n, x) == Rep(n, ADD(x, n * z)));
axiom (forall n: int, x: int :: {Rep(n, x)} LEQ(Rep(n, x), ADD(Rep(n, x), 1)));

procedure main(p: int)
{
  var q: int;
  q := ADD(p, 1);
  assert LEQ(q, Base(p));
}
