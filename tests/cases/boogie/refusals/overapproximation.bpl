//! verdict: unknown(a function that overapproximates another)
function {:overapproximation "bitwiseAnd"} and(int, int): int;

procedure main()
{
  assert and(1, 2) == 0;
}
