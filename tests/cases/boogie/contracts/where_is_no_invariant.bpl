//! verdict: false(unreach-call)
//! decided-by: auto
var g: int where g >= 0;

procedure main()
  modifies g;
{
  g := -1;
  assert g >= 0;
}
