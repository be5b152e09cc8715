//! error: 7:10 there is no type `Strange`
//! error: 8:3 there is no variable `y`
//! error: 9:8 there is no procedure `q`
//! error: 10:8 there is no label `nowhere`
//! error: 12:8 `z` is declared twice
procedure main()
{ var x: Strange;
  y := 3;
  call q();
  goto nowhere;
}
var z, z: int;
