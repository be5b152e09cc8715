//! verdict: true
//! decided-by: auto
type Ref;
type Heap = [Ref, int]bool;
var heap: Heap;

procedure main(r: Ref, s: Ref)
  modifies heap;
{
  var before: Heap;
  before := heap;
  heap[r, 3] := true;
  assert heap[r, 3];
  assert heap == before[r, 3 := true];
  assert r == s || heap[s, 3] == before[s, 3];
}
