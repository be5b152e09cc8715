//! verdict: unknown(the builtin type Double)
type {:builtin "Float64"} Double;

procedure main(x: Double, y: Double)
{
  assert x == y;
}
