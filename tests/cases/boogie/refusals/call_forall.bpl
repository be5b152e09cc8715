//! verdict: unknown(call forall)
procedure lemma<t>(x: t);
  ensures x == x;

procedure main()
{
  call forall lemma(*);
}
