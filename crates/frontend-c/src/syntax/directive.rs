//! The lines that begin with `#` in a text: line markers, pragmas, and those that ask for a preprocessor.

use std::borrow::Cow;

/// What a line that begins with `#` is.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum Directive<'a> {
    /// `# 12 "file.c" 1 3` or `#line 12 "file.c"`: the next line is line 12 of that file, or of the same file as before.
    Line(u32, Option<Cow<'a, str>>),
    /// `#pragma`, with the text behind it.
    Pragma(&'a [u8]),
    /// `#ident` and a lone `#`, which mean nothing.
    Nothing,
    /// Any other, by its word: work for a preprocessor.
    Other(&'a [u8]),
}

/// Reads a directive from the text behind its `#`, up to the end of its line.
pub(super) fn read(line: &[u8]) -> Directive<'_> {
    let rest = line.trim_ascii();
    let word = rest.iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'_').count();
    let (word, rest) = rest.split_at(word);
    match word {
        b"pragma" => Directive::Pragma(rest.trim_ascii()),
        b"" if rest.is_empty() => Directive::Nothing,
        b"ident" | b"sccs" => Directive::Nothing,
        b"line" => {
            let rest = rest.trim_ascii();
            let digits = rest.iter().take_while(|b| b.is_ascii_digit()).count();
            marker(&rest[..digits], &rest[digits..]).unwrap_or(Directive::Other(word))
        }
        _ => marker(word, rest).unwrap_or(Directive::Other(word)),
    }
}

fn marker<'a>(number: &[u8], rest: &'a [u8]) -> Option<Directive<'a>> {
    let number = std::str::from_utf8(number).ok()?.parse().ok()?;
    Some(Directive::Line(number, file_name(rest.trim_ascii())))
}

/// The name between quotes at the beginning of `text`; a backslash there protects the next byte.
fn file_name(text: &[u8]) -> Option<Cow<'_, str>> {
    let text = text.strip_prefix(b"\"")?;
    let end = text.iter().position(|b| *b == b'"' || *b == b'\\')?;
    if text[end] == b'"' {
        return Some(String::from_utf8_lossy(&text[..end]));
    }
    let mut name = Vec::new();
    let mut bytes = text.iter();
    loop {
        match bytes.next()? {
            b'"' => return Some(String::from_utf8_lossy(&name).into_owned().into()),
            b'\\' => name.push(*bytes.next()?),
            byte => name.push(*byte),
        }
    }
}

/// Whether a text has directives that a preprocessor must carry out, or uses what only a preprocessor can replace.
///
/// A directive inside a comment counts as well: that costs a process, and no more.
pub fn needs_preprocessor(text: &[u8]) -> bool {
    let mut at = 0;
    let mut is_preprocessed = false;
    while let Some(found) = text[at..].iter().position(|&b| b == b'#') {
        at += found;
        let line_start = text[..at].iter().rposition(|b| !matches!(b, b' ' | b'\t')).is_none_or(|b| text[b] == b'\n');
        at += 1;
        if line_start {
            let end = text[at..].iter().position(|&b| b == b'\n').map_or(text.len(), |length| at + length);
            match read(&text[at..end]) {
                Directive::Other(_) => return true,
                Directive::Line(..) => is_preprocessed = true,
                Directive::Pragma(_) | Directive::Nothing => {}
            }
            at = end;
        }
    }
    !is_preprocessed && uses_predefined_macro(text)
}

/// Whether a text without directives has a name that the preprocessor replaces by itself: `_Pragma`, or capitals between
/// underscores as in `__LINE__` and `__INT_MAX__`. Two capitals are a machine mode in an attribute, such as `__DI__`.
fn uses_predefined_macro(text: &[u8]) -> bool {
    let is_name = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
    let mut at = 0;
    while let Some(found) = text[at..].iter().position(|&b| b == b'_') {
        let start = at + found;
        let length = text[start..].iter().take_while(|b| is_name(b)).count();
        let name = &text[start..start + length];
        at = start + length;
        let middle = name.strip_prefix(b"__").and_then(|rest| rest.strip_suffix(b"__")).unwrap_or_default();
        let is_macro = middle.len() > 2 && middle[0].is_ascii_uppercase() && !middle.iter().any(u8::is_ascii_lowercase);
        if (is_macro || name == b"_Pragma") && !start.checked_sub(1).is_some_and(|before| is_name(&text[before])) {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directives() {
        let check = |line: &str, expected| assert_eq!(read(line.as_bytes()), expected, "{line}");
        check(" 12 \"a.c\" 1 3", Directive::Line(12, Some("a.c".into())));
        check("line 7 \"a\\\\b\\\".c\"\r", Directive::Line(7, Some("a\\b\".c".into())));
        check("line 7", Directive::Line(7, None));
        check("line X", Directive::Other(b"line"));
        check(" 99999999999 \"a.c\"", Directive::Other(b"99999999999"));
        check("pragma pack(1)", Directive::Pragma(b"pack(1)"));
        check("  ", Directive::Nothing);
        check("ident \"x\"", Directive::Nothing);
        check(" include <a.h>", Directive::Other(b"include"));
    }

    #[test]
    fn who_needs_a_preprocessor() {
        let check = |text: &str, expected| assert_eq!(needs_preprocessor(text.as_bytes()), expected, "{text}");
        check("# 1 \"a.c\"\nint x;\n#pragma weak f\n", false);
        check("int x = '#'; # define\n", false);
        check("int x;\n  #define A\n", true);
        check("#include <a.h>", true);
        check("int x = __LINE__;", true);
        check("# 1 \"a.c\"\nint __FILE__;", false);
        check("int __INT_MAX_, x__INT__, __func__, __, ____, __DI__;", false);
        check("_Pragma(\"pack(1)\") int x;", true);
        check("", false);
    }
}
