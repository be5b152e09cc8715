//! verdict: true
//! decided-by: auto
var g: int where g >= 0;

procedure next() returns (n: int where n > 0);

procedure main()
  modifies g;
{
  var x: int where x < 10;
  assert g >= 0 && x < 10;
  havoc x, g;
  assert g >= 0 && x < 10;
  x := 11;
  call x := next();
  assert x > 0;
}
