//! verdict: unknown(a first thread that ends in an atomic section)
procedure corral_atomic_begin();

procedure other(x: int)
{
  assume x == 0;
}

procedure main(x: int)
{
  call corral_atomic_begin();
  async call other(x);
}
