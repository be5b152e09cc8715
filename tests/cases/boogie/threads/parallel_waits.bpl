//! verdict: true
var x, y: int;

procedure set_x(n: int) modifies x; { x := n; }
procedure set_y(n: int) modifies y; { y := n; }

procedure main()
  modifies x, y;
{
  par set_x(1) | set_y(2);
  assert x == 1 && y == 2;
}
