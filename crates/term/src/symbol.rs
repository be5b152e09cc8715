//! How names are written: bare where they can be, between bars otherwise.

use std::fmt;

/// Whether a character may stand in a bare name.
pub(crate) fn is_bare(c: char) -> bool {
    c.is_ascii_alphanumeric() || "~!$%^&*_-+=<>.?/".contains(c)
}

/// The length of the bare name that a text starts with; 0 if there is none. Numbers are no names; `::` joins their parts.
pub fn bare_length(text: &str) -> usize {
    let digits = text.strip_prefix('-').unwrap_or(text);
    if digits.starts_with(|c: char| c.is_ascii_digit()) {
        return 0;
    }
    let run = |from: usize| text[from..].find(|c| !is_bare(c)).map_or(text.len(), |length| from + length);
    let mut length = run(0);
    while length > 0 && text[length..].starts_with("::") {
        length = run(length + 2);
    }
    length
}

/// Whether `name` has the form of a bare name.
pub fn has_bare_form(name: &str) -> bool {
    !name.is_empty() && bare_length(name) == name.len()
}

/// Writes a name between bars; a bar or backslash in it gets a backslash.
pub fn write_quoted(f: &mut dyn fmt::Write, name: &str) -> fmt::Result {
    f.write_char('|')?;
    for c in name.chars() {
        if matches!(c, '|' | '\\') {
            f.write_char('\\')?;
        }
        f.write_char(c)?;
    }
    f.write_char('|')
}

/// The name between bars that a text starts with, and the length of what stands for it; otherwise where in the text
/// something else was expected, and what. The text starts with a bar.
pub fn read_quoted(text: &str) -> Result<(String, usize), (usize, &'static str)> {
    let mut name = String::new();
    let mut characters = text.char_indices().skip(1);
    while let Some((at, c)) = characters.next() {
        match c {
            '|' => return Ok((name, at + 1)),
            '\\' => match characters.next() {
                Some((_, c @ ('|' | '\\'))) => name.push(c),
                _ => return Err((at, "expected a bar or backslash after the backslash")),
            },
            c => name.push(c),
        }
    }
    Err((0, "expected a closing bar"))
}

/// The names of the sorts that are not the user's.
pub(crate) const SORT_NAMES: [&str; 9] = ["Bool", "Int", "Real", "BitVec", "FloatingPoint", "Array", "Ptr", "Mem", "_"];

/// A user's sort, quoted where it would read as another.
pub(crate) fn write_sort_name(f: &mut dyn fmt::Write, name: &str) -> fmt::Result {
    if has_bare_form(name) && !SORT_NAMES.contains(&name) { f.write_str(name) } else { write_quoted(f, name) }
}
