//! verdict: true
//! decided-by: predicate
function square(n: int): int;

// What it ensures may be used for all arguments at once.
procedure lemma(n: int, m: int);
  requires n == m;
  ensures square(n) == n * m;

procedure main()
{
  call forall lemma(*, 7);
  assert square(7) == 49;
}
