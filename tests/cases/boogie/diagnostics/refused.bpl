//! error: 9:6 `bv16` is a type of bit-vectors
//! error: 10:10 no value of `List` can be made without another one first
//! error: 11:11 the map does not mention its type parameter `b`
//! error: 13:7 there is no earlier state here that `old` could mean
//! error: 14:15 a bound variable has a where clause
//! error: 15:13 no parameter or result has `t` in its type
//! error: 16:27 the field `f` has another type in another constructor
//! error: 19:8 there is no such floating-point number
type bv16 = int;
datatype List { Cons(head: int, tail: List) }
var m: <a,b>[a]int;
var x: int;
axiom old(x) == 0;
axiom (forall i: int where i > 0 :: i == i);
procedure p<t>(n: int);
datatype D { A(f: int), B(f: bool) }
procedure main()
{ var y: float24e8;
  y := 0x1.0e32f24e8;
}
