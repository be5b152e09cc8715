//! How names are written, as in terms: bare where they can be, otherwise between bars.

use std::fmt::{self, Write};

/// Whether a byte may stand in a bare name.
fn is_bare(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"~!$%^&*_-+=<>.?/".contains(&byte)
}

/// The length of the bare name that a text starts with; 0 if there is none. Numbers are no names.
pub(crate) fn bare_length(text: &[u8]) -> usize {
    let first = text.iter().position(|b| *b != b'-').unwrap_or(0);
    if first <= 1 && text.get(first).is_some_and(u8::is_ascii_digit) {
        return 0;
    }
    let run = |from: usize| from + text[from..].iter().take_while(|b| is_bare(**b)).count();
    let mut length = run(0);
    while length > 0 && text[length..].starts_with(b"::") {
        length = run(length + 2);
    }
    length
}

/// Writes a name so that it can be read again.
pub(crate) fn write_name(out: &mut impl Write, name: &str) -> fmt::Result {
    if !name.is_empty() && bare_length(name.as_bytes()) == name.len() {
        return out.write_str(name);
    }
    out.write_str("|")?;
    for c in name.chars() {
        if matches!(c, '|' | '\\') {
            out.write_str("\\")?;
        }
        out.write_char(c)?;
    }
    out.write_str("|")
}

/// The name between bars that a text starts with, and the length of what stands for it. The text starts with a bar.
pub(crate) fn read_quoted(text: &str) -> Option<(String, usize)> {
    let mut name = String::new();
    let mut characters = text.char_indices().skip(1);
    while let Some((at, c)) = characters.next() {
        match c {
            '|' => return Some((name, at + 1)),
            '\\' => name.push(characters.next().map(|(_, c)| c).filter(|c| matches!(c, '|' | '\\'))?),
            c => name.push(c),
        }
    }
    None
}
