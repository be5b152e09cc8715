//! verdict: false(unreach-call)
//! decided-by: auto
procedure helper();

procedure work()
{
  call helper();
  assert false;
}
