//! verdict: true
//! decided-by: auto
// Nobody calls the entry, so that what it requires is assumed.
procedure main(n: int)
  requires n > 3;
{
  assert n > 2;
}
