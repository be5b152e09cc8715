//! verdict: true
//! decided-by: auto
function {:builtin "MapConst"} all(int): [int]int;

procedure main()
{
  var m: [int]int;
  m := all(7);
  assert m[12] == 7;
}
