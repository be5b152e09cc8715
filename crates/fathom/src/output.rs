//! Writing to standard output and standard error. A reader that has gone away is no error: what is left is not written.

use source::{Diagnostic, SourceMap};
use std::io::{self, IsTerminal, Write};

/// Writes a text to standard output.
pub fn print(text: &str) {
    let mut out = io::stdout().lock();
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    match written {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => say(&format!("cannot write the output: {error}")),
        _ => {}
    }
}

/// Tells the user something on standard error.
pub fn say(message: &str) {
    // There is nobody left to tell that this failed.
    let _ = writeln!(io::stderr(), "fathom: {message}");
}

/// Shows diagnostics on standard error.
pub fn show(diagnostics: &[Diagnostic], sources: &SourceMap) {
    let colour = in_colour(&io::stderr());
    let texts: Vec<String> = diagnostics.iter().map(|one| source::render(one, sources, colour)).collect();
    let _ = io::stderr().write_all(texts.join("\n").as_bytes());
}

/// Whether a stream wants colours. See <https://no-color.org>.
pub fn in_colour(stream: &impl IsTerminal) -> bool {
    stream.is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}
