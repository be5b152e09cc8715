//! The part of the library that is written in C.
//!
//! Every definition begins at the start of a line, and nothing else does that has a name before a parenthesis, except for
//! declarations: so it can be told what a text defines without reading it as C.

use std::collections::HashSet;
use std::sync::LazyLock;

/// The texts with functions on strings.
pub(crate) const STRING_FUNCTIONS: [&str; 5] =
    ["<library>/string.c", "<library>/strtok.c", "<library>/wchar.c", PRINTF, SCANF];
/// The text with the functions of `pthread.h` and the like.
pub(crate) const THREAD_FUNCTIONS: &str = "<library>/thread.c";

/// The texts with the conversions of `printf` and of `scanf`, which are called by expansions.
const PRINTF: &str = "<library>/printf.c";
const SCANF: &str = "<library>/scanf.c";
/// The text with the environment, which is also called by an expansion.
const ENVIRONMENT: &str = "<library>/environment.c";
/// The text that knows which files are open.
const FILES: &str = "<library>/unistd.c";
/// The text that reads strings for calls of the system.
const TEXT: &str = "<library>/text.c";

/// A name for diagnostics and traces, and the text.
pub(crate) const SOURCES: [(&str, &str); 43] = [
    (STRING_FUNCTIONS[0], include_str!("string.c")),
    (STRING_FUNCTIONS[1], include_str!("strtok.c")),
    (STRING_FUNCTIONS[2], include_str!("wchar.c")),
    ("<library>/wctype.c", include_str!("wctype.c")),
    ("<library>/errno.c", include_str!("errno.c")),
    ("<library>/random.c", include_str!("random.c")),
    ("<library>/time.c", include_str!("time.c")),
    ("<library>/ctype.c", include_str!("ctype.c")),
    ("<library>/stdlib.c", include_str!("stdlib.c")),
    ("<library>/math.c", include_str!("math.c")),
    ("<library>/stdio.c", include_str!("stdio.c")),
    (FILES, include_str!("unistd.c")),
    (PRINTF, include_str!("printf.c")),
    (SCANF, include_str!("scanf.c")),
    (TEXT, include_str!("text.c")),
    ("<library>/multibyte.c", include_str!("multibyte.c")),
    ("<library>/wcstol.c", include_str!("wcstol.c")),
    ("<library>/rand48.c", include_str!("rand48.c")),
    ("<library>/a64l.c", include_str!("a64l.c")),
    ("<library>/search.c", include_str!("search.c")),
    ("<library>/libgen.c", include_str!("libgen.c")),
    ("<library>/inet.c", include_str!("inet.c")),
    ("<library>/sigset.c", include_str!("sigset.c")),
    ("<library>/signal.c", include_str!("signal.c")),
    (ENVIRONMENT, include_str!("environment.c")),
    ("<library>/atexit.c", include_str!("atexit.c")),
    ("<library>/locale.c", include_str!("locale.c")),
    ("<library>/mman.c", include_str!("mman.c")),
    ("<library>/calendar.c", include_str!("calendar.c")),
    ("<library>/getopt.c", include_str!("getopt.c")),
    ("<library>/socket.c", include_str!("socket.c")),
    ("<library>/dirent.c", include_str!("dirent.c")),
    ("<library>/ctype_maps.c", include_str!("ctype_maps.c")),
    ("<library>/err.c", include_str!("err.c")),
    ("<library>/strtod.c", include_str!("strtod.c")),
    ("<library>/wide_stdio.c", include_str!("wide_stdio.c")),
    ("<library>/strerror.c", include_str!("strerror.c")),
    ("<library>/names.c", include_str!("names.c")),
    ("<library>/attributes.c", include_str!("attributes.c")),
    ("<library>/users.c", include_str!("users.c")),
    ("<library>/fenv.c", include_str!("fenv.c")),
    ("<library>/transcendental.c", include_str!("transcendental.c")),
    (THREAD_FUNCTIONS, include_str!("thread.c")),
];

/// The functions that each text defines.
static DEFINED: LazyLock<Vec<HashSet<&str>>> =
    LazyLock::new(|| SOURCES.iter().map(|(_, text)| text.lines().filter_map(defined).collect()).collect());

/// The function whose definition begins with a line.
pub(super) fn defined(line: &str) -> Option<&str> {
    if line.starts_with([' ', '}', '/', '#']) || line.starts_with("static ") || line.ends_with(';') {
        return None;
    }
    let (head, _) = line.split_once('(')?;
    head.rsplit([' ', '*']).next()
}

/// Whether a function needs the n-th text.
pub(crate) fn needs_source(n: usize, function: &str) -> bool {
    let name = SOURCES[n].0;
    let expands = name == PRINTF && super::output::is_formatted(function)
        || name == SCANF && super::input::is_formatted(function)
        || name == ENVIRONMENT && function == "getenv"
        || name == TEXT && super::calls::needs_text(function)
        || name == FILES && super::calls::needs_descriptors(function)
        || super::thread::inner(function)
            .or_else(|| super::process::inner(function))
            .is_some_and(|own| defines(n, own));
    expands || defines(n, function)
}

fn defines(n: usize, function: &str) -> bool {
    DEFINED.get(n).is_some_and(|names| names.contains(function))
}

/// Whether some text defines a function.
pub(super) fn is_defined(function: &str) -> bool {
    (0..SOURCES.len()).any(|n| defines(n, function))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_are_found_by_their_names() {
        for name in ["strlen", "strchr", "memcmp", "isdigit", "atoi", "qsort", "fgets", "sem_wait", "bsearch", "modff"]
        {
            assert!(is_defined(name), "{name}");
        }
        for name in ["str", "len", "return", "strlen(", "", "malloc", "digit"] {
            assert!(!is_defined(name), "{name}");
        }
    }
}
