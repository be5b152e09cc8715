//! The names of the standard libraries, as data. A function without a body that has one of these names is the library's; all others
//! are the user's own.

use rustc_hash::FxHashMap;
use std::sync::LazyLock;

/// `HEADER: NAME...` on each line. With a star behind the header, each name has variants for `float` and `long double`.
const TABLE: &str = include_str!("standard.txt");

/// Headers by the names of functions.
static HEADERS: LazyLock<FxHashMap<String, &'static str>> = LazyLock::new(|| {
    let mut headers = FxHashMap::default();
    for (header, names) in TABLE.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once(':')) {
        let base = header.trim_end_matches('*');
        for name in names.split_whitespace() {
            headers.insert(name.to_owned(), base);
            if base != header {
                headers.extend(["f", "l"].map(|suffix| (format!("{name}{suffix}"), base)));
            }
        }
    }
    headers
});

/// The header that declares a function of the standard libraries.
pub(super) fn header(name: &str) -> Option<&'static str> {
    HEADERS.get(name).copied()
}

/// All names, with their headers.
#[cfg(test)]
pub(super) fn names() -> impl Iterator<Item = (&'static str, &'static str)> {
    HEADERS.iter().map(|(name, header)| (name.as_str(), *header))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_prototypes() {
        // Macros, what no header declares any more, and names of implementations.
        let others = ["encrypt", "lgamma_rf", "lgamma_rl"];
        let known =
            |name: &str| name.starts_with('_') || others.contains(&name) || super::super::prototype::is_known(name);
        let without: Vec<_> = names().filter(|(name, _)| !known(name)).collect();
        assert!(without.is_empty(), "{without:?}");
    }

    #[test]
    fn names_have_headers() {
        for (name, expected) in
            [("wcsncat", "wchar.h"), ("sinf", "math.h"), ("strtok", "string.h"), ("fork", "unistd.h")]
        {
            assert_eq!(header(name), Some(expected), "{name}");
        }
        for name in ["", "frobnicate", "strlenl", "math.h"] {
            assert_eq!(header(name), None, "{name}");
        }
    }
}
