//! Lines and words of source text by their places.
//!
//! A place names the user's own file. Its text is read from there if that is possible, so that it is shown as it was
//! written; otherwise what the preprocessor made of it is shown.

use source::{FileId, Place, SourceMap, Span, Symbol};
use std::collections::HashMap;
use std::path::Path;
use std::rc::Rc;

/// Finds lines for the places of a program's texts.
#[derive(Clone)]
pub struct Lines<'a> {
    sources: &'a SourceMap,
    texts: Vec<FileId>,
    /// Where in the texts each line of each file stands. Where a macro of a header is expanded in a line, there are several rows of it.
    known: Rc<HashMap<(Symbol, u32), Vec<Span>>>,
    /// The user's files, by line; `None` for one that cannot be read.
    originals: HashMap<Symbol, Option<Vec<Symbol>>>,
}

impl<'a> Lines<'a> {
    /// For the places that come from `texts`; without them, only the user's files are there to be read.
    pub fn new(sources: &'a SourceMap, texts: &[FileId]) -> Lines<'a> {
        let mut known: HashMap<(Symbol, u32), Vec<Span>> = HashMap::new();
        for file in texts.iter().copied() {
            let mut start = 0u32;
            for line in sources.text(file).split_inclusive(|byte| *byte == b'\n') {
                let end = start + line.len() as u32;
                if !line.trim_ascii().is_empty() {
                    let place = sources.place(Span::new(file, start, start));
                    known.entry((place.file, place.line)).or_default().push(Span::new(file, start, end));
                }
                start = end;
            }
        }
        Lines { sources, texts: texts.to_vec(), known: Rc::new(known), originals: HashMap::new() }
    }

    /// What stands in the line of a place from there on: in each row of the text that is of this line.
    pub fn rests(&self, place: Place) -> impl Iterator<Item = &'a [u8]> {
        let rows = self.known.get(&(place.file, place.line)).into_iter().flatten();
        rows.filter_map(move |row| self.sources.slice(*row).get(place.column.checked_sub(1)? as usize..))
    }

    /// What stands in the line of a place from there on; in the first row.
    pub fn rest(&self, place: Place) -> Option<&'a [u8]> {
        let row = self.sources.slice(*self.known.get(&(place.file, place.line))?.first()?);
        row.get(place.column.checked_sub(1)? as usize..)
    }

    /// The word at a place of the text.
    pub fn word(&self, place: Place) -> Option<&'a [u8]> {
        let at = self.rest(place)?;
        let length = at.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
        Some(&at[..length.max(1).min(at.len())])
    }

    /// The line of a place, without the white space around it.
    pub fn line(&mut self, place: Place) -> Option<Symbol> {
        Some(Symbol::new(self.row(place)?.as_str().trim()))
    }

    /// The line of a place as it is.
    pub fn row(&mut self, place: Place) -> Option<Symbol> {
        let (sources, texts) = (self.sources, &self.texts);
        let folders = || texts.iter().filter_map(|text| Path::new(sources.name(*text).as_str()).parent());
        let original = self.originals.entry(place.file).or_insert_with(|| {
            let path = Path::new(place.file.as_str());
            let bytes =
                std::fs::read(path).ok().or_else(|| folders().find_map(|at| std::fs::read(at.join(path)).ok()))?;
            let text = String::from_utf8_lossy(&bytes);
            Some(text.lines().map(Symbol::new).collect())
        });
        if let Some(lines) = original {
            return lines.get(place.line.checked_sub(1)? as usize).copied();
        }
        let line = self.sources.slice(*self.known.get(&(place.file, place.line))?.first()?);
        Some(Symbol::new(String::from_utf8_lossy(line).trim_end_matches(['\n', '\r'])))
    }
}

/// The span to show for a place, in the user's own file: the word that stands there, or the whole line where macros have
/// moved it. `texts` are what places come from.
pub fn span_to_show(place: Place, texts: &[FileId], sources: &mut SourceMap) -> Option<Span> {
    let word = Lines::new(sources, texts).word(place).map(<[u8]>::to_vec);
    let original = sources.read(Path::new(place.file.as_str())).ok()?;
    let exact = sources.span_at(original, place.line, place.column);
    if word.is_some_and(|word| sources.slice(exact) == word) {
        return Some(exact);
    }
    let start = sources.span_at(original, place.line, 1).start;
    let rest = &sources.text(original)[start as usize..];
    let line = rest.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let indent = line.len() - line.trim_ascii_start().len();
    Some(Span::new(original, start + indent as u32, start + indent as u32 + line.trim_ascii().len() as u32))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_words_of_preprocessed_text() {
        let mut sources = SourceMap::new();
        let text = sources.add("t.i", b"# 1 \"gone.c\"\n\nint  x;\n# 9 \"gone.h\"\n  int yy;\n".to_vec());
        sources.set_markers(text, [(13, Symbol::new("gone.c"), 1), (35, Symbol::new("gone.h"), 9)].into_iter());
        let mut lines = Lines::new(&sources, &[text]);
        let place = |file, line, column| Place { file: Symbol::new(file), line, column };
        assert_eq!(lines.line(place("gone.c", 2, 1)).map(Symbol::as_str), Some("int  x;"));
        assert_eq!(lines.line(place("gone.h", 9, 3)).map(Symbol::as_str), Some("int yy;"));
        assert_eq!(lines.line(place("gone.h", 10, 1)), None);
        assert_eq!(lines.word(place("gone.h", 9, 7)), Some(b"yy".as_slice()));
        assert_eq!(lines.word(place("gone.h", 9, 70)), None);
        assert_eq!(lines.word(place("other.c", 1, 1)), None);
    }
}
