//! verdict: unknown(a map with type parameters: <a>[ref,Field a]a)
type ref;
type Field a;
var heap: <a>[ref, Field a]a;

procedure main(r: ref, f: Field int)
{
  assert heap[r, f] == heap[r, f];
}
