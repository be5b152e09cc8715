//! verdict: true
procedure main()
{
  var i, j: int;
  i := 0;
  outer:
  while (i < 3)
    invariant 0 <= i;
    free invariant i <= 3;
  {
    j := 0;
    while (*) {
      if (j == 2) {
        break outer;
      } else if (j > 2) {
        assert false;
      }
      j := j + 1;
    }
    i := i + 1;
    if (*) { break; }
  }
  assert i <= 3;
}
