//! From the text of a C program to its syntax tree.

mod ast;

pub use ast::*;
