//! verdict: true
procedure main(m: [int]int)
{
  var n: [int]int;
  n := (lambda i: int :: m[i] + 1);
  assert n[3] == m[3] + 1;
}
