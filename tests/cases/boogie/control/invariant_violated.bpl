//! verdict: false(unreach-call)
//! decided-by: auto
procedure main()
{
  var i: int;
  i := 0;
  while (i < 3)
    invariant i < 3;
  {
    i := i + 1;
  }
}
