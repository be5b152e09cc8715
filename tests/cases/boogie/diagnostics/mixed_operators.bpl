//! error: 4:17 expected parentheses
procedure main(a: bool, b: bool)
{
  assert a && b || a;
}
