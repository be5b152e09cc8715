//! verdict: unknown(a constant that is to be inferred)
const {:existential true} candidate: bool;

procedure main(x: int)
{
  assert candidate ==> x > 0;
}
