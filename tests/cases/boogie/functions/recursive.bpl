//! verdict: true
function sum(n: int): int { if n <= 0 then 0 else n + sum(n - 1) }

procedure main()
{
  assert sum(1) == 1;
}
