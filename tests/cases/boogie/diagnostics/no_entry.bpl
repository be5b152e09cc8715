//! error: 2:11 `main` has no implementation
procedure main();
