//! error: 9:8 expected a value of type int, found one of type bool
//! error: 10:10 expected a value of type bool, found one of type int
//! error: 11:8 the map takes 2 indices, found 1
//! error: 12:8 `p` takes 1 arguments, found 2
//! error: 13:3 `n` is a parameter and cannot change
procedure p(n: int)
{ var x: int;
  var m: [int, int]int;
  x := true;
  assert x + 1;
  x := m[x];
  call p(1, 2);
  n := 4;
}
