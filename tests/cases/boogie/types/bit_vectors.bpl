//! verdict: true
//! decided-by: auto
function {:bvbuiltin "bvadd"} add(bv8, bv8): bv8;
function {:bvbuiltin "(_ zero_extend 8)"} wide(bv8): bv16;
function {:bvbuiltin "bvsgt"} greater(bv8, bv8): bool;

procedure main(b: bv8)
{
  assert add(255bv8, 2bv8) == 1bv8;
  assert wide(b)[16:8] == 0bv8;
  assert 1bv8 ++ 2bv8 == 258bv16;
  assert greater(1bv8, 255bv8);
}
