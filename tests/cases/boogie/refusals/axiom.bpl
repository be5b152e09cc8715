//! verdict: unknown(a quantifier with type parameters)
function f<a>(x: a): int;
axiom (forall<a> x: a :: f(x) > 0);

procedure main()
{
  assert f(3) > 0;
}
