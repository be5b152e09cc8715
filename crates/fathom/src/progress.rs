//! What engines tell while they work: kept, and shown on standard error.
//!
//! On a terminal it is one line that is written over again and again, and erased before anything else is written. With
//! `--verbose`, every message is a line of its own, on a terminal or not.

use crate::output::say;
use engine::Progress;
use std::io::{self, IsTerminal, Write};
use std::sync::{Arc, Mutex};

/// How what engines tell is shown.
enum Shown {
    Nowhere,
    Lines,
    Status(StatusLine<io::Stderr>),
}

/// What engines told, from the thread that works to the one that waits for it.
#[derive(Clone)]
pub struct Watch(Arc<Mutex<Watched>>);

struct Watched {
    latest: Option<Progress>,
    shown: Shown,
}

impl Watch {
    pub fn new(verbose: bool) -> Watch {
        let shown = if verbose {
            Shown::Lines
        } else if io::stderr().is_terminal() && std::env::var_os("TERM").is_none_or(|kind| kind != "dumb") {
            Shown::Status(StatusLine::new(io::stderr(), terminal_width()))
        } else {
            Shown::Nowhere
        };
        Watch(Arc::new(Mutex::new(Watched { latest: None, shown })))
    }

    /// Takes what an engine tells.
    pub fn tell(&self, progress: &Progress) {
        let Ok(mut watched) = self.0.lock() else { return };
        match &mut watched.shown {
            Shown::Nowhere => {}
            Shown::Lines => say(&text(progress)),
            Shown::Status(line) => line.show(&text(progress)),
        }
        watched.latest = Some(progress.clone());
    }

    /// Shows nothing any more, and returns what was told last: work that was left behind may go on telling.
    pub fn close(&self) -> Option<String> {
        let mut watched = self.0.lock().ok()?;
        if let Shown::Status(line) = &mut watched.shown {
            line.erase();
        }
        watched.shown = Shown::Nowhere;
        watched.latest.as_ref().map(text)
    }
}

/// What an engine tells, in words.
pub fn text(progress: &Progress) -> String {
    let figures: Vec<String> = progress.figures.iter().map(|(name, value)| format!("{name} {value}")).collect();
    format!("{}: {}", progress.engine, figures.join(", "))
}

/// A line that is written over again and again.
struct StatusLine<W> {
    out: W,
    width: usize,
    is_shown: bool,
}

/// To the start of the line, and erase it.
const ERASE: &str = "\r\x1b[K";

impl<W: Write> StatusLine<W> {
    fn new(out: W, width: usize) -> StatusLine<W> {
        StatusLine { out, width, is_shown: false }
    }

    fn show(&mut self, text: &str) {
        // A line that is as wide as the terminal would begin another one.
        let text: String = text.chars().take(self.width.saturating_sub(1)).collect();
        self.write(&format!("{ERASE}{text}"));
        self.is_shown = true;
    }

    fn erase(&mut self) {
        if std::mem::take(&mut self.is_shown) {
            self.write(ERASE);
        }
    }

    fn write(&mut self, text: &str) {
        // There is nobody left to tell that this failed.
        let _ = self.out.write_all(text.as_bytes()).and_then(|()| self.out.flush());
    }
}

/// How many characters a line of the terminal has.
fn terminal_width() -> usize {
    let mut size = libc::winsize { ws_row: 0, ws_col: 0, ws_xpixel: 0, ws_ypixel: 0 };
    // SAFETY: the request fills in the structure that it is given, which is valid for the call.
    let told = unsafe { libc::ioctl(libc::STDERR_FILENO, libc::TIOCGWINSZ, &mut size) };
    if told == 0 && size.ws_col > 0 { size.ws_col.into() } else { 80 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Shows texts in a line of ten characters, then erases it.
    fn check(texts: &[&str], expected: &str) {
        let mut line = StatusLine::new(Vec::new(), 10);
        texts.iter().for_each(|text| line.show(text));
        line.erase();
        line.erase();
        assert_eq!(String::from_utf8_lossy(&line.out), expected);
    }

    #[test]
    fn a_line_is_written_over_and_erased() {
        check(&[], "");
        check(&["one", "two"], "\r\x1b[Kone\r\x1b[Ktwo\r\x1b[K");
        check(&["more than ten"], "\r\x1b[Kmore than\r\x1b[K");
    }
}
