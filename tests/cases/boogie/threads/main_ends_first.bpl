//! verdict: false(unreach-call)
//! decided-by: auto
// The other threads go on when the first has ended.
procedure wrong()
{
  assert false;
}

procedure main()
{
  async call wrong();
}
