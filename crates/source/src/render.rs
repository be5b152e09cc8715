//! Diagnostics as text for people.
//!
//! ```text
//! error: expected `;` after the expression
//!  --> file.c:3:10
//!   |
//! 3 |     x = 1
//!   |          ^ expected `;`
//!   = help: ...
//! ```
//!
//! Tabs are expanded, control characters and bytes that are no UTF-8 are replaced, long lines are cut to a window around
//! the place. A span of several lines is shown by its first line.

use crate::excerpt::Excerpt;
use crate::{Diagnostic, Label, Severity, SourceMap, Symbol};
use std::fmt::Write;

/// Columns of source text that are shown of a longer line.
const WINDOW: usize = 110;
/// Columns before the place that stay visible when a long line is cut.
const CONTEXT: usize = 40;
const TAB: usize = 4;

const BOLD: &str = "\x1b[1m";
const RED: &str = "\x1b[1;31m";
const YELLOW: &str = "\x1b[1;33m";
const GREEN: &str = "\x1b[1;32m";
const BLUE: &str = "\x1b[1;34m";

/// Renders a diagnostic, ending with a newline.
pub fn render(diagnostic: &Diagnostic, map: &SourceMap, colour: bool) -> String {
    let (word, style) = match diagnostic.severity {
        Severity::Error => ("error", RED),
        Severity::Warning => ("warning", YELLOW),
        Severity::Note => ("note", GREEN),
    };
    let mut marks: Vec<Mark> = Vec::new();
    for (label, sign, style) in diagnostic
        .primary
        .iter()
        .map(|label| (label, '^', style))
        .chain(diagnostic.secondary.iter().map(|label| (label, '-', BLUE)))
    {
        marks.push(Mark::new(label, sign, style, map));
    }
    let mut notes: Vec<(&str, String)> = diagnostic.notes.iter().map(|text| ("note", text.clone())).collect();
    notes.extend(marks.first().and_then(|mark| mark.expansion.clone()).map(|text| ("note", text)));
    notes.extend(diagnostic.help.iter().map(|text| ("help", text.clone())));

    let gutter = marks.iter().map(|mark| mark.line_number.to_string().len()).max().unwrap_or(0);
    let mut out = Painter { text: String::new(), colour, gutter };
    out.paint(style, word);
    out.paint(BOLD, &format!(": {}", diagnostic.message));
    out.text.push('\n');
    out.marks(marks);
    for (kind, text) in notes {
        out.note(kind, &text);
    }
    out.text
}

/// One underlined place.
struct Mark {
    file: Symbol,
    line_number: u32,
    place: String,
    line: String,
    /// Where the underline begins and how long it is, in displayed columns.
    column: usize,
    length: usize,
    sign: char,
    style: &'static str,
    words: String,
    continues: bool,
    expansion: Option<String>,
}

impl Mark {
    fn new(label: &Label, sign: char, style: &'static str, map: &SourceMap) -> Mark {
        let Excerpt { place, line, range, continues, expansion } = map.excerpt(label.span);
        let before = display(&line[..range.start], 0);
        let column = before.chars().count();
        let inside = display(&line[range.clone()], column);
        let after = display(&line[range.end..], column + inside.chars().count());
        let length = inside.chars().count();
        let (line, column, length) = cut(&format!("{before}{inside}{after}"), column, length);
        let expansion = expansion.map(|text| {
            let text = display(&text, 0);
            format!("after preprocessing this line reads `{}`", cut(text.trim(), 0, 0).0)
        });
        Mark {
            file: place.file,
            line_number: place.line,
            place: place.to_string(),
            line,
            column,
            length: length.max(1),
            sign,
            style,
            words: label.text.clone(),
            continues,
            expansion,
        }
    }
}

struct Painter {
    text: String,
    colour: bool,
    gutter: usize,
}

impl Painter {
    fn paint(&mut self, style: &str, text: &str) {
        if self.colour {
            let _ = write!(self.text, "{style}{text}\x1b[0m");
        } else {
            self.text.push_str(text);
        }
    }

    /// The places, file by file in the order of their first mention, each file's lines in order.
    fn marks(&mut self, mut marks: Vec<Mark>) {
        let mut arrow = "-->";
        while let Some(first) = marks.first() {
            let (file, place) = (first.file, first.place.clone());
            self.paint(BLUE, &format!("{:width$}{arrow} ", "", width = self.gutter));
            self.text.push_str(&place);
            self.text.push('\n');
            self.row("", "");
            let mut here: Vec<Mark> = marks.extract_if(.., |mark| mark.file == file).collect();
            here.sort_by_key(|mark| mark.line_number);
            self.lines(&here);
            arrow = ":::";
        }
    }

    fn lines(&mut self, marks: &[Mark]) {
        let mut shown: Option<u32> = None;
        for mark in marks {
            if shown != Some(mark.line_number) {
                if shown.is_some_and(|line| line + 1 != mark.line_number) {
                    self.paint(BLUE, "...");
                    self.text.push('\n');
                }
                self.row(&mark.line_number.to_string(), &mark.line);
                shown = Some(mark.line_number);
            }
            self.row_start("");
            let _ = write!(self.text, " {:column$}", "", column = mark.column);
            let mut underline: String = std::iter::repeat_n(mark.sign, mark.length).collect();
            if mark.continues {
                underline.push_str("...");
            }
            if !mark.words.is_empty() {
                underline.push(' ');
                underline.push_str(&mark.words);
            }
            self.paint(mark.style, &underline);
            self.text.push('\n');
        }
    }

    fn row(&mut self, number: &str, line: &str) {
        self.row_start(number);
        if !line.is_empty() {
            let _ = write!(self.text, " {line}");
        }
        self.text.push('\n');
    }

    fn row_start(&mut self, number: &str) {
        self.paint(BLUE, &format!("{number:>width$} |", width = self.gutter));
    }

    fn note(&mut self, kind: &str, text: &str) {
        self.paint(BLUE, &format!("{:width$} = ", "", width = self.gutter));
        self.paint(BOLD, kind);
        // Further lines of a note are set under the first one.
        let indent = format!("\n{:width$}", "", width = self.gutter + 5 + kind.len());
        let _ = writeln!(self.text, ": {}", text.replace('\n', &indent));
    }
}

/// Text as it can be shown, when it begins in the given column.
fn display(text: &[u8], column: usize) -> String {
    let mut shown = String::new();
    let mut at = column;
    for c in String::from_utf8_lossy(text).chars() {
        if c == '\t' {
            let next = (at / TAB + 1) * TAB;
            shown.extend(std::iter::repeat_n(' ', next - at));
            at = next;
        } else {
            shown.push(if c.is_control() { char::REPLACEMENT_CHARACTER } else { c });
            at += 1;
        }
    }
    shown
}

/// Cuts a long line to a window around the underlined part, and moves the underline with it.
fn cut(line: &str, column: usize, length: usize) -> (String, usize, usize) {
    let total = line.chars().count();
    if total <= WINDOW {
        return (line.trim_end().to_string(), column, length);
    }
    let first = column.saturating_sub(CONTEXT).min(total - WINDOW);
    let last = first + WINDOW;
    let (prefix, suffix) = (if first > 0 { "..." } else { "" }, if last < total { "..." } else { "" });
    let window: String = line.chars().skip(first).take(WINDOW).collect();
    let column = column - first + prefix.len();
    (format!("{prefix}{window}{suffix}"), column, length.min(prefix.len() + WINDOW - column))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Span;

    fn check(text: &str, build: impl Fn(&dyn Fn(&str) -> Span) -> Diagnostic, expected: &str) {
        let mut map = SourceMap::new();
        let file = map.add("t.c", text.into());
        let find = |needle: &str| {
            let start = text.find(needle).unwrap() as u32;
            Span::new(file, start, start + needle.len() as u32)
        };
        let rendered = render(&build(&find), &map, false);
        assert_eq!(rendered, expected, "rendered:\n{rendered}");
    }

    #[test]
    fn one_place() {
        check(
            "int x\n\tint y;\n",
            |find| Diagnostic::error(find("int y"), "no `;`").label("here").note("a\nb").help("add one"),
            "error: no `;`\n --> t.c:2:2\n  |\n2 |     int y;\n  |     ^^^^^ here\n  = note: a\n          b\n  = help: add one\n",
        );
    }

    #[test]
    fn missing_text_at_the_end() {
        check("x", |find| Diagnostic::error(find("x").after(), "m"), "error: m\n --> t.c:1:2\n  |\n1 | x\n  |  ^\n");
        check("", |find| Diagnostic::error(find(""), "m"), "error: m\n --> t.c:1:1\n  |\n1 |\n  | ^\n");
    }

    #[test]
    fn several_places() {
        check(
            "a b\n\nc\n",
            |find| Diagnostic::warning(find("c"), "m").label("1").secondary(find("a"), "2").secondary(find("b"), ""),
            "warning: m\n --> t.c:3:1\n  |\n1 | a b\n  | - 2\n  |   -\n...\n3 | c\n  | ^ 1\n",
        );
    }

    #[test]
    fn several_lines() {
        check(
            "{\n}\nx\n",
            |find| Diagnostic::error(find("{\n}\n"), "m").label("w"),
            "error: m\n --> t.c:1:1\n  |\n1 | {\n  | ^... w\n",
        );
    }

    #[test]
    fn strange_bytes_and_long_lines() {
        check(
            "é\u{1}x",
            |find| Diagnostic::error(find("x"), "m"),
            "error: m\n --> t.c:1:3\n  |\n1 | é\u{fffd}x\n  |   ^\n",
        );
        let text = format!("{}x{}", "a".repeat(300), "b".repeat(300));
        let expected = format!(
            "error: m\n --> t.c:1:301\n  |\n1 | ...{}x{}...\n  | {}^\n",
            "a".repeat(40),
            "b".repeat(69),
            " ".repeat(43)
        );
        check(&text, |find| Diagnostic::error(find("x"), "m"), &expected);
    }

    #[test]
    fn no_place() {
        check("", |_| Diagnostic::without_place(Severity::Error, "m").help("h"), "error: m\n = help: h\n");
    }

    #[test]
    fn invalid_utf8_is_shown_lossily() {
        let mut map = SourceMap::new();
        let file = map.add("t.c", b"\xff\xfe x".to_vec());
        let rendered = render(&Diagnostic::error(Span::new(file, 3, 4), "m"), &map, true);
        assert!(rendered.contains("\u{fffd}\u{fffd} x"), "{rendered}");
        assert!(rendered.contains("\x1b[1;31m^"), "{rendered}");
    }

    #[test]
    fn preprocessed_text_is_shown_as_it_was_written() {
        let folder = std::env::temp_dir().join(format!("fathom-source-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let original = folder.join("o.c");
        std::fs::write(&original, "#define M 1 2\n/*c*/ x = y;\nx = M;\n").unwrap();
        let mut map = SourceMap::new();
        let file = map.add("o.i", b"# 2\n      x = y;\nx = 1 2;\n".to_vec());
        map.set_markers(file, [(4, Symbol::new(&original.to_string_lossy()), 2)].into_iter());
        let show = |start, end| render(&Diagnostic::error(Span::new(file, start, end), "m"), &map, false);
        let (moved, missing, hidden) = (show(14, 15), show(15, 15), show(23, 24));
        std::fs::remove_dir_all(&folder).unwrap();
        assert!(moved.ends_with("2 | /*c*/ x = y;\n  |           ^\n"), "{moved}");
        assert!(missing.ends_with("2 | /*c*/ x = y;\n  |            ^\n"), "{missing}");
        let note = "3 | x = M;\n  | ^^^^^^\n  = note: after preprocessing this line reads `x = 1 2;`\n";
        assert!(hidden.ends_with(note), "{hidden}");
    }
}
