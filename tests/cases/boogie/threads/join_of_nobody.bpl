//! verdict: true
procedure nothing()
{
}

procedure main()
{
  fork true nothing();
  join 1;
  assert false;
}
