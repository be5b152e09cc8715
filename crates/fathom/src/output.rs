//! Writing to standard output and standard error. A reader that has gone away is no error: what is left is not written.

use source::{Diagnostic, SourceMap};
use std::fs::OpenOptions;
use std::io::{self, IsTerminal, Write};
use std::path::Path;

/// How many diagnostics are shown. The first few tell what is wrong with a text.
const SHOWN: usize = 20;

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
    let shown = diagnostics.iter().take(SHOWN);
    let mut texts: Vec<String> = shown.map(|one| source::render(one, sources, colour)).collect();
    match diagnostics.len().saturating_sub(SHOWN) {
        0 => {}
        1 => texts.push("and 1 more error\n".to_string()),
        more => texts.push(format!("and {more} more errors\n")),
    }
    let _ = io::stderr().write_all(texts.join("\n").as_bytes());
}

/// Finds out whether a file can be written, before the work whose result it is to hold. What it holds stays.
pub fn writable(file: &Path) -> Result<(), String> {
    let is_new = !file.exists();
    let opened = OpenOptions::new().append(true).create(true).open(file);
    opened.map_err(|error| format!("cannot write {}: {error}", file.display()))?;
    if is_new {
        // A run without a result for it leaves no empty file behind.
        let _ = std::fs::remove_file(file);
    }
    Ok(())
}

/// Whether a stream wants colours. See <https://no-color.org>.
pub fn in_colour(stream: &impl IsTerminal) -> bool {
    stream.is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}
