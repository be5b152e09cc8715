//! How names are written: bare where they can be, between bars otherwise.

use std::fmt;

/// Whether a character may stand in a bare name.
pub(crate) fn is_bare(c: char) -> bool {
    c.is_ascii_alphanumeric() || "~!$%^&*_-+=<>.?/".contains(c)
}

/// Whether `name` has the form of a bare name: not a number, and nothing but bare characters and `::`.
pub(crate) fn has_bare_form(name: &str) -> bool {
    let digits = name.strip_prefix('-').unwrap_or(name);
    !name.is_empty()
        && !digits.starts_with(|c: char| c.is_ascii_digit())
        && !name.starts_with("::")
        && name.split("::").all(|part| part.chars().all(is_bare))
}

/// Writes a name between bars; a bar or backslash in it gets a backslash.
pub(crate) fn write_quoted(f: &mut dyn fmt::Write, name: &str) -> fmt::Result {
    f.write_char('|')?;
    for c in name.chars() {
        if matches!(c, '|' | '\\') {
            f.write_char('\\')?;
        }
        f.write_char(c)?;
    }
    f.write_char('|')
}

/// The names of the sorts that are not the user's.
pub(crate) const SORT_NAMES: [&str; 9] = ["Bool", "Int", "Real", "BitVec", "FloatingPoint", "Array", "Ptr", "Mem", "_"];

/// A user's sort, quoted where it would read as another.
pub(crate) fn write_sort_name(f: &mut dyn fmt::Write, name: &str) -> fmt::Result {
    if has_bare_form(name) && !SORT_NAMES.contains(&name) { f.write_str(name) } else { write_quoted(f, name) }
}
