//! verdict: false(unreach-call)
//! decided-by: stratified
procedure main()
{
  var x: int;
  havoc x;
  assert x != 1;
  assert x != 2;
  assert x > 2;
  assert x > 2;
  assert x >= 2;
}
