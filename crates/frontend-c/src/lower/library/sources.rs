//! The part of the library that is written in C.
//!
//! Every definition begins at the start of a line, and nothing else does that is followed by the name and a parenthesis:
//! so it can be told what a text defines without reading it as C.

/// A name for diagnostics and traces, and the text.
pub(crate) const SOURCES: [(&str, &str); 5] = [
    ("<library>/string.c", include_str!("string.c")),
    ("<library>/ctype.c", include_str!("ctype.c")),
    ("<library>/stdlib.c", include_str!("stdlib.c")),
    ("<library>/stdio.c", include_str!("stdio.c")),
    ("<library>/thread.c", include_str!("thread.c")),
];

/// Whether a text of the library defines a function.
pub(crate) fn needs_source(text: &str, function: &str) -> bool {
    text.lines().filter(|line| !line.starts_with([' ', '}', '/', '#'])).any(|line| {
        let name = line.split('(').next().unwrap_or_default();
        name.len() < line.len() && name.rsplit([' ', '*']).next() == Some(function)
    })
}

/// Whether some text defines a function.
pub(super) fn is_defined(function: &str) -> bool {
    SOURCES.iter().any(|(_, text)| needs_source(text, function))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_are_found_by_their_names() {
        for name in ["strlen", "strchr", "memcmp", "isdigit", "atoi", "qsort", "fgets", "sem_wait"] {
            assert!(is_defined(name), "{name}");
        }
        for name in ["str", "len", "return", "strlen(", ""] {
            assert!(!is_defined(name), "{name}");
        }
    }
}
