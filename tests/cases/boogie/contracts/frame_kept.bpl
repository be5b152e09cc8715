//! verdict: true
//! decided-by: stratified
var allocated: [int]bool;
var next: int;

procedure allocate() returns (new: int);
  modifies allocated, next;
  ensures new == old(next) && next > old(next);
  ensures allocated[new];
  ensures (forall x: int :: {allocated[x]} x == new || old(allocated)[x] == allocated[x]);

procedure {:entrypoint} main()
  modifies allocated, next;
{
  var a: int, b: int;
  call a := allocate();
  call b := allocate();
  assert a != b && allocated[a] && allocated[b];
}
