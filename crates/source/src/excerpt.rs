//! The line of source text to show for a span, and the part of it to underline.
//!
//! For a preprocessed text the user wants to see the line as it was written, so it comes from the original file if that
//! can be read. Macros may have moved or replaced the text of the span, so the part to underline is looked for there.

use crate::{Place, SourceMap, Span};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// A larger original file is not worth reading for one line.
const LARGEST_ORIGINAL: u64 = 64 << 20;

/// The longest line in which text is looked for: the search may take the product of the lengths.
const LONGEST_LINE: usize = 1 << 14;

/// How many bytes before a missing piece of text identify its place.
const ANCHOR: usize = 16;

pub(crate) struct Excerpt {
    pub place: Place,
    /// The line without its end.
    pub line: Vec<u8>,
    /// The bytes of `line` that the span covers.
    pub range: Range<usize>,
    /// The span goes on in the next line.
    pub continues: bool,
    /// What the line became, where a macro hides the text of the span.
    pub expansion: Option<Vec<u8>>,
}

impl SourceMap {
    pub(crate) fn excerpt(&self, span: Span) -> Excerpt {
        let place = self.place(span);
        let around = self.line_around(span.file, span.start);
        let line = self.slice(around);
        let start = ((span.start - around.start) as usize).min(line.len());
        let range = start..((span.end - around.start) as usize).clamp(start, line.len());
        let continues = span.end > around.end + 2;
        let buffer = Excerpt { place, line: line.to_vec(), range: range.clone(), continues, expansion: None };
        if !self.is_marked(span) {
            return buffer;
        }
        let Some(original) = self.original_line(span, place) else { return buffer };
        match find_range(&original, line, &range) {
            Some(found) => Excerpt { line: original, range: found, ..buffer },
            None => {
                let shown = trimmed(&original);
                let expansion = Some(line[trimmed(line)].to_vec());
                Excerpt { line: original, range: shown, expansion, ..buffer }
            }
        }
    }

    /// The line of the user's file that markers name, if that file is there and has it.
    fn original_line(&self, span: Span, place: Place) -> Option<Vec<u8>> {
        let path = PathBuf::from(place.file.as_str());
        let text = self.name(span.file);
        let beside = Path::new(text.as_str()).parent().map(|folder| folder.join(&path));
        let file = std::iter::once(path)
            .chain(beside)
            .find(|path| std::fs::metadata(path).is_ok_and(|data| data.is_file() && data.len() <= LARGEST_ORIGINAL))?;
        let bytes = std::fs::read(file).ok()?;
        let line = bytes.split(|&b| b == b'\n').nth(place.line.checked_sub(1)? as usize)?;
        Some(line.strip_suffix(b"\r").unwrap_or(line).to_vec())
    }
}

/// Where in `original` stands what `range` covers in `line`. A place where something is missing is found by the text
/// before it, or else by the word before it.
fn find_range(original: &[u8], line: &[u8], range: &Range<usize>) -> Option<Range<usize>> {
    if !range.is_empty() {
        return find(original, &line[range.clone()], range.start);
    }
    let before = &line[..range.start];
    let text = &before[before.len().saturating_sub(ANCHOR)..];
    let word = before.trim_ascii().rsplit(|b| b.is_ascii_whitespace()).next()?;
    let found = [text, word].iter().find_map(|anchor| find(original, anchor, range.start - anchor.len()))?;
    Some(found.end..found.end)
}

/// Where `text` stands in `original`: the occurrence nearest to `expected`.
fn find(original: &[u8], text: &[u8], expected: usize) -> Option<Range<usize>> {
    let text = &text[trimmed(text)];
    if text.is_empty() || original.len() > LONGEST_LINE {
        return None;
    }
    let windows = original.windows(text.len()).enumerate().filter(|(_, window)| *window == text);
    let at = windows.map(|(at, _)| at).min_by_key(|at| at.abs_diff(expected))?;
    Some(at..at + text.len())
}

/// The part of a line without the white space around it.
fn trimmed(line: &[u8]) -> Range<usize> {
    let start = line.len() - line.trim_ascii_start().len();
    start..start + line.trim_ascii().len()
}
