//! error: 3:1 `This` is not the name of a type here
//! error: 3:9 expected `;` after the declaration, found `a`
This is a letter, not a program.
