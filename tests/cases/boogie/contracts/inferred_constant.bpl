//! verdict: true
//! decided-by: stratified
// `wrong` does not hold, so that it is dropped; the others need each other.
const {:existential true} given: bool;
const {:existential true} grows: bool;
const {:existential true} wrong: bool;
const {:existential true} kept: bool;

var g: int;

procedure step(n: int)
  requires given ==> n >= 0;
  modifies g;
  ensures grows ==> g >= old(g);
  ensures wrong ==> g > old(g);
{
  g := g + n;
}

procedure main(x: int)
  requires x >= 0;
  modifies g;
{
  var i: int;
  g := 0;
  i := x;
  while (i > 0)
    invariant kept ==> g >= 0;
  {
    call step(i);
    i := i - 1;
  }
  assert g >= 0;
}
