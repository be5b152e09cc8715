//! verdict: true
//! decided-by: auto
// Ultimate's language writes `/` and `%` for integers.
procedure main()
{
  var q, r: int;
  q, r := -7 / 2, -7 % 2;
  assert q == -4 && r == 1;
  assert -7 div 2 == -4 && -7 mod -2 == 1;
}
