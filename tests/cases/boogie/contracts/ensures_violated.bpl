//! verdict: false(unreach-call)
//! decided-by: auto
var g: int;

procedure {:entrypoint} bump()
  modifies g;
  ensures g == old(g) + 1;
{
  g := g + 1;
  if (g == 7) {
    g := 8;
  }
}
