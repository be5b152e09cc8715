//! verdict: true
datatype List { Nil(), Cons(head: int, tail: List) }

procedure main(l: List)
{
  var k: List;
  k := Cons(3, l);
  assert k is Cons && !(k is Nil);
  assert k->head == 3;
  k->head := 4;
  assert k == Cons(4, l);
}
