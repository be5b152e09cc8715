//! Small changes to texts, of bytes, tokens and lines. The same seed makes the same changes.

use term::random::Random;

/// Longer inputs only slow the search down.
const LONGEST: usize = 4_000;

/// A text with one to six changes; some take a part of another text.
pub fn mutated(texts: &[Vec<u8>], words: &[&str], random: &mut Random) -> Vec<u8> {
    let mut text = random.pick(texts).clone();
    // One change is the most likely: few programs survive many.
    let changes = 1 + random.below(6);
    for _ in 0..1 + random.below(changes) {
        match random.below(8) {
            0 => change_byte(&mut text, random),
            1 => change_range(&mut text, random),
            2 => change_line(&mut text, random),
            3 => {
                let other = random.pick(texts);
                let (from, to) = range(other.len(), random);
                insert(&mut text, &other[from..to], random);
            }
            4 => {
                let word = random.pick(words).as_bytes().repeat(1 + random.below(3) * random.below(20));
                insert(&mut text, &word, random);
            }
            _ => change_token(&mut text, words, random),
        }
        text.truncate(LONGEST);
    }
    text
}

fn change_byte(text: &mut [u8], random: &mut Random) {
    if text.is_empty() {
        return;
    }
    let at = random.below(text.len());
    text[at] = if random.once_in(2) { text[at] ^ (1 << random.below(8)) } else { random.bits() as u8 };
}

/// A range inside `0..length`, mostly a short one.
fn range(length: usize, random: &mut Random) -> (usize, usize) {
    let from = random.below(length + 1);
    let longest = if random.once_in(4) { length } else { 30 };
    (from, (from + random.below(longest + 1)).min(length))
}

fn insert(text: &mut Vec<u8>, piece: &[u8], random: &mut Random) {
    let at = random.below(text.len() + 1);
    text.splice(at..at, piece.iter().copied());
}

/// Drops, doubles, moves or repeats a piece, or drops everything behind it.
fn change_range(text: &mut Vec<u8>, random: &mut Random) {
    let (from, to) = range(text.len(), random);
    let piece = text[from..to].to_vec();
    match random.below(5) {
        0 => drop(text.drain(from..to)),
        1 => insert(text, &piece, random),
        2 => {
            text.drain(from..to);
            insert(text, &piece, random);
        }
        3 => {
            let short = &piece[..piece.len().min(8)];
            text.splice(from..from, short.repeat(1 + random.below(60)));
        }
        _ => text.truncate(to),
    }
}

fn change_line(text: &mut Vec<u8>, random: &mut Random) {
    let mut lines: Vec<&[u8]> = text.split_inclusive(|byte| *byte == b'\n').collect();
    if lines.is_empty() {
        return;
    }
    let (one, other) = (random.below(lines.len()), random.below(lines.len()));
    match random.below(3) {
        0 => _ = lines.remove(one),
        1 => lines.insert(other, lines[one]),
        _ => lines.swap(one, other),
    }
    *text = lines.concat();
}

/// Where the tokens of a text are: words and numbers, and single signs; blanks belong to none.
fn tokens(text: &[u8]) -> Vec<(usize, usize)> {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'.') || byte >= 0x80;
    let mut found = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let length = text[at..].iter().take_while(|byte| is_word(**byte)).count().max(1);
        if !text[at].is_ascii_whitespace() {
            found.push((at, at + length));
        }
        at += length;
    }
    found
}

/// Drops, doubles or exchanges a token, or puts another in its place.
fn change_token(text: &mut Vec<u8>, words: &[&str], random: &mut Random) {
    let tokens = tokens(text);
    if tokens.is_empty() {
        return;
    }
    let (from, to) = *random.pick(&tokens);
    let (other_from, other_to) = *random.pick(&tokens);
    let (token, other) = (text[from..to].to_vec(), text[other_from..other_to].to_vec());
    match random.below(6) {
        0 => drop(text.drain(from..to)),
        1 => _ = text.splice(from..from, token.into_iter().chain([b' '])),
        2 => _ = text.splice(from..to, random.pick(words).bytes()),
        3 if to <= other_from => {
            text.splice(other_from..other_to, token);
            text.splice(from..to, other);
        }
        4 => _ = text.splice(from..to, NUMBERS[random.below(NUMBERS.len())].bytes()),
        _ => _ = text.splice(from..to, other),
    }
}

/// Numbers at the edges of types.
const NUMBERS: [&str; 12] = [
    "0",
    "1",
    "-1",
    "127",
    "65536",
    "2147483647",
    "2147483648",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "18446744073709551616",
    "1e400",
];
