//! verdict: false(unreach-call)
//! decided-by: auto
// Each way through the code must return true.
procedure main(x: int)
{
  assert |{
    var y: int;
    start:
      goto one, two;
    one:
      assume x > 0;
      y := x;
      return y > 0;
    two:
      return x != 17;
  }|;
}
