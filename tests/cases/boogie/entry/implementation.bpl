//! verdict: false(unreach-call)
//! decided-by: auto
// As Corral writes programs: the mark of an implementation counts, and an assertion has become an assumption of its negation.
procedure {:entrypoint} main() returns (ok: bool);

implementation main() returns (ok: bool)
{
  havoc ok;
}

procedure fakeMain() returns (ok: bool);

implementation {:entrypoint} fakeMain() returns (ok: bool)
{
  start:
    call ok := main();
    assume {:OldAssert} !ok;
    return;
}
