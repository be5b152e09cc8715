//! verdict: false(unreach-call)
//! decided-by: stratified
// No function rounds like this where the size is 0. The program asks for the size 3, where there is nothing wrong with it.
function rounded(a: int, size: int) : int;
axiom (forall a: int, size: int :: {rounded(a, size)}
  size * rounded(a, size) <= a && a < size * (rounded(a, size) + 1));

procedure {:entrypoint} main(a: int)
{
  assume a >= 0;
  assert rounded(a, 3) >= 0;
  assert rounded(a, 3) < 5;
}
