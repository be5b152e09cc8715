//! verdict: true
//! decided-by: auto
type Colour;
const unique red, green, blue: Colour;

procedure main(c: Colour)
{
  assert red != green;
  assert c != red || c != blue;
}
