//! verdict: false(unreach-label:bad)
//! decided-by: auto
//! property: unreach-label:bad
procedure main(x: int)
{
  if (x == 5) {
    bad: assume true;
  }
  assert x != 6;
}
