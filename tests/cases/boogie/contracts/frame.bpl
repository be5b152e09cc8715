//! verdict: false(unreach-call)
//! decided-by: stratified
// What is allocated is told by contracts that speak of all addresses: they must hold in the execution that is shown.
var allocated: [int]bool;
var next: int;
function object(int) : int;

procedure allocate(size: int) returns (new: int);
  modifies allocated, next;
  ensures 0 < old(next);
  ensures new == old(next);
  ensures next > old(next) + size;
  ensures (forall x: int :: new <= x && x < new + size ==> object(x) == new);
  ensures allocated[new];
  ensures (forall x: int :: {allocated[x]} x == new || old(allocated)[x] == allocated[x]);

procedure {:entrypoint} main()
  modifies allocated, next;
{
  var a: int, b: int;
  call a := allocate(4);
  call b := allocate(8);
  assert a != b;
  assert allocated[a];
  assert object(b + 7) == b;
  assert object(b + 8) == b;
}
