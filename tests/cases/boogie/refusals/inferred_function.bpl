//! verdict: unknown(a function that is to be inferred)
function {:existential true} candidate(x: int) returns (bool);

procedure main(x: int)
{
  assert candidate(x);
}
