//! verdict: false(unreach-call)
//! decided-by: auto
procedure main(x: int)
{
  start:
    assume {:sourceloc "driver.c", 12, 3} true;
    assert x > 0;
    return;
}
