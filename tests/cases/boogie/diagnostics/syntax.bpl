//! error: 6:8 expected an expression, found `;`
//! error: 7:3 expected a statement, found `:=`
//! error: 9:1 expected a declaration, found `oops`
procedure main()
{ var x: int;
  x := ;
  := 3;
}
oops
