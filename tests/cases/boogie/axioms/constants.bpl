//! verdict: false(unreach-call)
//! decided-by: auto
// Nothing is known of the constant but its axiom.
const size: int;
axiom size > 10;

procedure main()
{
  assert size > 10;
  assert size > 11;
}
