//! Lines joined by a backslash at their end.
//!
//! A backslash and a newline vanish wherever they stand, even inside a token. A text that has them is lexed as a copy
//! without them, and the tokens are then moved to where they stand in the text itself.

use std::borrow::Cow;

/// The removed pieces: for each the offset in the joined text, and how much was removed up to there.
#[derive(Default, Debug)]
pub(super) struct Splices(Vec<(u32, u32)>);

/// The text with its lines joined, borrowed when there is nothing to join.
pub(super) fn join(text: &[u8]) -> (Cow<'_, [u8]>, Splices) {
    let mut splices = Vec::new();
    let mut joined = Vec::new();
    let mut copied = 0;
    let mut at = 0;
    while let Some(found) = text[at..].iter().position(|&b| b == b'\\') {
        at += found;
        match splice_length(&text[at..]) {
            0 => at += 1,
            length => {
                joined.extend_from_slice(&text[copied..at]);
                at += length;
                copied = at;
                splices.push((joined.len() as u32, (at - joined.len()) as u32));
            }
        }
    }
    if splices.is_empty() {
        return (Cow::Borrowed(text), Splices::default());
    }
    joined.extend_from_slice(&text[copied..]);
    (Cow::Owned(joined), Splices(splices))
}

/// The length of a backslash with its newline at the beginning of `text`, 0 if there is none.
fn splice_length(text: &[u8]) -> usize {
    match text {
        [b'\\', b'\n', ..] => 2,
        [b'\\', b'\r', b'\n', ..] => 3,
        _ => 0,
    }
}

impl Splices {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Where the byte at `offset` of the joined text stands in the text itself.
    pub fn start(&self, offset: u32) -> u32 {
        self.shift(offset, self.0.partition_point(|(at, _)| *at <= offset))
    }

    /// Where a token that ends before `offset` of the joined text ends in the text itself.
    pub fn end(&self, offset: u32) -> u32 {
        self.shift(offset, self.0.partition_point(|(at, _)| *at < offset))
    }

    fn shift(&self, offset: u32, count: usize) -> u32 {
        offset + self.0[..count].last().map_or(0, |(_, removed)| *removed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_survive() {
        let text = b"ab\\\ncd\\\r\n\\\nef\\g";
        let (joined, splices) = join(text);
        assert_eq!(&*joined, b"abcdef\\g");
        let moved: Vec<u32> = (0..8).map(|offset| splices.start(offset)).collect();
        assert_eq!(moved, [0, 1, 4, 5, 11, 12, 13, 14]);
        assert_eq!((splices.end(2), splices.end(4), splices.end(6)), (2, 6, 13));
        assert!(join(b"a\\b").1.is_empty());
    }
}
