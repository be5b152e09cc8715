//! verdict: true
//! decided-by: auto
procedure p(x: int)
  free requires x > 0;
{
  assert x > 0;
}

procedure main()
{
  call p(-1);
}
