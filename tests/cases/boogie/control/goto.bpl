//! verdict: false(unreach-call)
//! decided-by: auto
procedure main()
{
  var x: int;
  start:
    x := 0;
    goto one, two;
  one:
    assume x == 0;
    x := 1;
    goto done;
  two:
    x := 2;
  done:
    assert x == 1;
    return;
}
