//! verdict: true
//! decided-by: auto
type ref;
type Field a;
var heap: <a>[ref, Field a]a;

procedure other(r: ref, f: Field int)
{
  assert heap[r, f] == heap[r, f];
}

procedure main()
{
  assert true;
}
