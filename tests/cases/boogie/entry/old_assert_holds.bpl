//! verdict: true
//! decided-by: auto
procedure {:entrypoint} main(x: int)
{
  assume x > 0;
  assume {:OldAssert} !(x >= 0);
  return;
}
