//! The loaded texts, and the way from a span back to the file that the user wrote.
//!
//! Texts are bytes: a program may hold any, and what its string literals hold must reach the program unchanged. Only what
//! is shown to a user is converted, lossily.
//!
//! A text that went through a preprocessor carries line markers. Whoever loads it registers them here, in the order of
//! their offsets; from a marker to the next one, line numbers count on from the line that the marker names.

use crate::{FileId, Place, Span, Symbol};
use std::io;
use std::path::Path;
use std::sync::OnceLock;

/// All texts of one run. Only grows, so ids and spans stay valid.
#[derive(Default, Debug)]
pub struct SourceMap {
    files: Vec<File>,
}

#[derive(Debug)]
struct File {
    name: Symbol,
    bytes: Vec<u8>,
    markers: Vec<Marker>,
    lines: OnceLock<Lines>,
}

/// Where the lines of a text begin; computed when somebody first asks for a place.
#[derive(Debug)]
struct Lines {
    starts: Vec<u32>,
    is_ascii: bool,
}

/// "The line that begins at `offset` is line `line` of `file`."
#[derive(Debug)]
struct Marker {
    offset: u32,
    file: Symbol,
    line: u32,
}

impl SourceMap {
    pub fn new() -> SourceMap {
        SourceMap::default()
    }

    /// Adds a text under the name that diagnostics shall show.
    ///
    /// # Panics
    /// If the text has more than 4 GB, which spans cannot address; [`SourceMap::read`] refuses such a file.
    pub fn add(&mut self, name: &str, bytes: Vec<u8>) -> FileId {
        assert!(u32::try_from(bytes.len()).is_ok(), "the text {name} is longer than 4 GB");
        let id = FileId(self.files.len() as u32);
        self.files.push(File { name: Symbol::new(name), bytes, markers: Vec::new(), lines: OnceLock::new() });
        id
    }

    /// Reads a file and adds its text.
    pub fn read(&mut self, path: &Path) -> io::Result<FileId> {
        let bytes = std::fs::read(path)?;
        if u32::try_from(bytes.len()).is_err() {
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, "the file is longer than 4 GB"));
        }
        Ok(self.add(&path.to_string_lossy(), bytes))
    }

    /// Sets the line markers of a text. Each says that the line which begins at an offset is a certain line of a file;
    /// offsets must not decrease.
    pub fn set_markers(&mut self, file: FileId, markers: impl Iterator<Item = (u32, Symbol, u32)>) {
        let markers: Vec<Marker> = markers.map(|(offset, file, line)| Marker { offset, file, line }).collect();
        debug_assert!(markers.is_sorted_by_key(|marker| marker.offset));
        self.files[file.0 as usize].markers = markers;
    }

    pub fn name(&self, file: FileId) -> Symbol {
        self.file(file).name
    }

    /// The whole text.
    pub fn text(&self, file: FileId) -> &[u8] {
        &self.file(file).bytes
    }

    /// The text under a span.
    pub fn slice(&self, span: Span) -> &[u8] {
        let text = self.text(span.file);
        let end = (span.end as usize).min(text.len());
        &text[(span.start as usize).min(end)..end]
    }

    /// The span of a line and column (from 1) of a text itself, without following markers; the nearest there is. It
    /// covers the word that begins there.
    pub fn span_at(&self, file: FileId, line: u32, column: u32) -> Span {
        let text = self.text(file);
        let starts = &self.file(file).lines().starts;
        let row = (line.max(1) as usize - 1).min(starts.len() - 1);
        let line_end = self.line_end(file, starts[row]);
        let start = starts[row].saturating_add(column.max(1) - 1).min(line_end);
        let rest = &text[start as usize..line_end as usize];
        let word = rest.iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'_').count();
        Span::new(file, start, start + (word.max(1) as u32).min(rest.len() as u32))
    }

    /// Where a span begins, in the user's own file. The column counts characters.
    pub fn place(&self, span: Span) -> Place {
        let file = self.file(span.file);
        let lines = file.lines();
        let offset = span.start.min(file.bytes.len() as u32);
        let row = lines.row(offset);
        let before = &file.bytes[lines.starts[row] as usize..offset as usize];
        let column = if lines.is_ascii { before.len() } else { characters(before) };
        let (name, line) = match file.marker(offset) {
            Some(marker) => (marker.file, marker.line.saturating_add((row - lines.row(marker.offset)) as u32)),
            None => (file.name, row as u32 + 1),
        };
        Place { file: name, line, column: column as u32 + 1 }
    }

    /// Whether the place of a span is in another file than its text: the text was preprocessed.
    pub(crate) fn is_marked(&self, span: Span) -> bool {
        self.file(span.file).marker(span.start).is_some()
    }

    /// The span of the whole line (without its end) in which `offset` lies.
    pub(crate) fn line_around(&self, file: FileId, offset: u32) -> Span {
        let lines = self.file(file).lines();
        let start = lines.starts[lines.row(offset)];
        Span::new(file, start, self.line_end(file, start))
    }

    fn line_end(&self, file: FileId, start: u32) -> u32 {
        let rest = &self.text(file)[start as usize..];
        let line = rest.split(|&b| b == b'\n').next().unwrap_or_default();
        start + line.strip_suffix(b"\r").unwrap_or(line).len() as u32
    }

    fn file(&self, id: FileId) -> &File {
        &self.files[id.0 as usize]
    }
}

impl File {
    fn lines(&self) -> &Lines {
        self.lines.get_or_init(|| {
            let ends = self.bytes.iter().enumerate().filter(|(_, b)| **b == b'\n');
            let starts = std::iter::once(0).chain(ends.map(|(at, _)| at as u32 + 1)).collect();
            Lines { starts, is_ascii: self.bytes.is_ascii() }
        })
    }

    /// The marker that holds at `offset`.
    fn marker(&self, offset: u32) -> Option<&Marker> {
        let count = self.markers.partition_point(|marker| marker.offset <= offset);
        self.markers[..count].last()
    }
}

impl Lines {
    /// The number (from 0) of the line in which `offset` lies.
    fn row(&self, offset: u32) -> usize {
        self.starts.partition_point(|start| *start <= offset) - 1
    }
}

/// The number of characters in UTF-8 text; stray continuation bytes do not count.
fn characters(text: &[u8]) -> usize {
    text.iter().filter(|b| **b & 0xC0 != 0x80).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, needle: &str, expected: &str) {
        let mut map = SourceMap::new();
        let file = map.add("t.i", text.into());
        let mut offset = 0;
        let markers = text.split_inclusive('\n').filter_map(|line| {
            offset += line.len() as u32;
            let (number, name) = line.strip_prefix("# ")?.trim_end().split_once(' ')?;
            Some((offset, Symbol::new(name), number.parse().unwrap()))
        });
        map.set_markers(file, markers);
        let start = text.find(needle).unwrap() as u32;
        assert_eq!(map.place(Span::new(file, start, start + 1)).to_string(), expected);
    }

    #[test]
    fn places_without_markers() {
        check("x", "x", "t.i:1:1");
        check("a\nb\n  c", "c", "t.i:3:3");
        check("é x", "x", "t.i:1:3");
    }

    #[test]
    fn places_follow_markers() {
        check("a\n# 10 f.c\nb\nc\n# 3 g.h\nd", "a", "t.i:1:1");
        check("a\n# 10 f.c\nb\nc\n# 3 g.h\nd", "b", "f.c:10:1");
        check("a\n# 10 f.c\nb\nw\n# 3 g.h\nd", "w", "f.c:11:1");
        check("a\n# 10 f.c\nb\nc\n# 3 g.h\nd", "d", "g.h:3:1");
        check("# 4294967295 f.c\nb\nz", "z", "f.c:4294967295:1");
    }

    #[test]
    fn spans_of_lines_and_columns() {
        let mut map = SourceMap::new();
        let file = map.add("t.c", b"int x;\r\n#include <a.h>\n".to_vec());
        let text = |line, column| String::from_utf8(map.slice(map.span_at(file, line, column)).to_vec()).unwrap();
        assert_eq!(text(1, 1), "int");
        assert_eq!(text(2, 1), "#");
        assert_eq!(text(1, 99), "");
        assert_eq!(text(9, 9), "");
        assert_eq!(text(0, 0), "int");
    }
}
