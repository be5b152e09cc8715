//! verdict: true
//! decided-by: auto
// Ultimate's attributes: a term of SMT-LIB as a definition, and numbers of an operation beside its name.
function {:smtdefined "((as const (Array Int Int)) x)"} all(x: int) returns (out: [int]int);
function {:builtin "zero_extend"} {:indices 8} wide(bv8): bv16;

procedure main(i: int)
{
  var m: [int]int;
  m := all(3);
  assert m[i] == 3;
  assert wide(255bv8) == 255bv16;
}
