//! verdict: true
type Class;
const unique object: Class;
const unique string: Class extends unique object complete;

procedure main()
{
  assert string <: object;
}
