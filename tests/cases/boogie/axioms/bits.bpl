//! verdict: false(unreach-call)
//! decided-by: stratified
// That 4 or nothing is what 4 has in common with anything follows from the axioms, by way of the complement of another bit.
function BAND(a: int, b: int) : int;
function BOR(a: int, b: int) : int;
function BNOT(a: int) : int;
function POW2(a: int) : bool;
axiom (forall x: int :: {POW2(x)} x == 0 || x == 1 || x == 2 || x == 4 || x == 8 ==> POW2(x));
axiom (forall f: int :: {BAND(0, f)} BAND(0, f) == 0);
axiom (forall f: int :: {BAND(f, f)} BAND(f, f) == f);
axiom (forall f: int :: {BOR(0, f)} BOR(0, f) == f);
axiom (forall x: int, f: int :: {BAND(x, f)} POW2(x) && POW2(f) && x != f ==> BAND(x, f) == 0);
axiom (forall a: int, b: int, c: int :: {BAND(a, BOR(b, c))} BAND(a, BOR(b, c)) == BAND(BOR(b, c), a));
axiom (forall x: int, f: int, g: int :: {BAND(BAND(x, BNOT(f)), g)}
  (f != g && POW2(f) && POW2(g) ==> BAND(BAND(x, BNOT(f)), g) == BAND(x, g))
  && (f == g && POW2(f) ==> BAND(BAND(x, BNOT(f)), g) == 0));
axiom (forall x: int, y: int, f: int :: {BAND(BAND(x, y), f)}
  POW2(f) ==> BAND(BAND(x, y), f) == 0 || BAND(BAND(x, y), f) == BAND(x, f));

procedure {:entrypoint} main(flags: int)
{
  var cleared: int;
  cleared := BAND(flags, BNOT(8));
  assume BAND(flags, 4) != 0;
  assert BAND(flags, 2) != 0;
}
