//! `getenv` of a name that is a literal, in a program that changes no variable: each name has variables of its own for what was found, so
//! that no strings are compared. Everything else is done by `environment.c`, which refuses programs that look at `environ` too.

use super::{Call, Expand};
use crate::lower::context::Context;
use crate::lower::value::Value;
use crate::lower::writer::Writer;
use term::{Sort, Term, build};

/// What the names of variables begin with that say whether a variable of the environment was looked at.
const KNOWN: &str = "$environment-known:";
const VALUE: &str = "$environment:";
/// Functions that change the environment, and that look at it in other ways.
const OTHERS: [&str; 5] = ["setenv", "putenv", "unsetenv", "clearenv", "secure_getenv"];

pub(super) fn known(name: &str) -> Option<Expand> {
    (name == "getenv").then_some(getenv as Expand)
}

fn getenv(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    let pointer = writer.pointer_argument(call, 0)?;
    let changes = OTHERS.iter().any(|name| writer.context.reaches_library(name)) || writer.context.sees_environment();
    let name = writer.context.literal(pointer).filter(|_| !changes).and_then(|name| plain(&name));
    let Some(name) = name else { return writer.call_library("__fathom_getenv", call.arguments.clone(), call.ty) };
    let known = writer.context.internal(Term::var(format!("{KNOWN}{name}").as_str(), Sort::bool()), false);
    let value = Term::var(format!("{VALUE}{name}").as_str(), writer.pointer_sort());
    let value = writer.context.internal(value, false);
    let (first, end) = (writer.code.location(), writer.code.location());
    writer.code.branch(known, end, first);
    writer.code.continue_at(first);
    let found = writer.call_helper("__fathom_environment", Vec::new())?;
    writer.code.assign(value, found);
    writer.code.assign(known, build::truth());
    writer.code.enter(end);
    let result = writer.code.keep(value);
    writer.give(call, result, false)
}

/// A name of letters, digits and `_`.
fn plain(literal: &[u8]) -> Option<String> {
    let name = String::from_utf8(literal.to_vec()).ok()?;
    let name = name.strip_suffix('\0')?;
    name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_').then(|| name.to_owned())
}

impl Context<'_> {
    /// The flags that say which variables of the environment were looked at.
    pub fn environment_flags(&self) -> Vec<Term> {
        let mut flags: Vec<(String, Term)> =
            self.internal_variables().filter_map(|flag| Some((flag.name()?.as_str().to_owned(), flag))).collect();
        flags.retain(|(name, _)| name.starts_with(KNOWN));
        flags.sort_by(|a, b| a.0.cmp(&b.0));
        flags.into_iter().map(|(_, flag)| flag).collect()
    }
}
