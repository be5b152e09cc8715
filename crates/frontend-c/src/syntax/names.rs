//! The names of one text: a hash table from spellings to small keys, made for the lexer's inner loop.
//!
//! Keys count from 1. The keywords come first, so a key alone tells a keyword from a name.

use super::token::TokenKind;
use source::Symbol;

#[derive(Debug)]
pub(super) struct Names {
    /// By key, which is one more than the position.
    symbols: Vec<Symbol>,
    hashes: Vec<u32>,
    /// Open addressing: keys, 0 where free. The length is a power of two and at least twice the number of names.
    slots: Vec<u32>,
}

/// The start value for hashing a name byte by byte with [`hash_step`].
pub(super) const HASH_START: u32 = 0x811C_9DC5;

#[inline]
pub(super) fn hash_step(hash: u32, byte: u8) -> u32 {
    (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
}

impl Names {
    /// The key of the name that stands for one which could not be read.
    pub const UNNAMED: u32 = TokenKind::KEYWORDS.len() as u32 + 1;

    pub fn new() -> Names {
        let mut names = Names { symbols: Vec::new(), hashes: Vec::new(), slots: vec![0; 1 << 10] };
        for (spelling, _) in TokenKind::KEYWORDS {
            names.intern(spelling.as_bytes(), hash(spelling));
        }
        names.intern(b"?", hash("?"));
        names
    }

    /// The key of a spelling with its hash; `None` if it is no UTF-8.
    #[inline]
    pub fn intern(&mut self, spelling: &[u8], hash: u32) -> Option<u32> {
        match self.find(spelling, hash) {
            Ok(key) => Some(key),
            Err(slot) => Some(self.insert(std::str::from_utf8(spelling).ok()?, hash, slot)),
        }
    }

    fn insert(&mut self, spelling: &str, hash: u32, slot: usize) -> u32 {
        self.symbols.push(Symbol::new(spelling));
        self.hashes.push(hash);
        let key = self.symbols.len() as u32;
        self.slots[slot] = key;
        if self.symbols.len() * 2 > self.slots.len() {
            self.grow();
        }
        key
    }

    /// The key of a symbol that may occur in the text; 0 if it does not.
    pub fn key(&self, symbol: Symbol) -> u32 {
        self.find(symbol.as_str().as_bytes(), hash(symbol.as_str())).unwrap_or(0)
    }

    pub fn symbol(&self, key: u32) -> Symbol {
        self.symbols[key as usize - 1]
    }

    /// The kind of token that a key stands for.
    #[inline]
    pub fn kind(key: u32) -> TokenKind {
        TokenKind::KEYWORDS.get(key as usize - 1).map_or(TokenKind::Name, |(_, kind)| *kind)
    }

    /// One more than the largest key.
    pub fn limit(&self) -> usize {
        self.symbols.len() + 1
    }

    /// The key of a spelling, or the free slot where it would go.
    #[inline]
    fn find(&self, spelling: &[u8], hash: u32) -> Result<u32, usize> {
        let mask = self.slots.len() - 1;
        let mut slot = spread(hash) & mask;
        loop {
            let key = self.slots[slot];
            if key == 0 {
                return Err(slot);
            }
            let at = key as usize - 1;
            if self.hashes[at] == hash && self.symbols[at].as_str().as_bytes() == spelling {
                return Ok(key);
            }
            slot = (slot + 1) & mask;
        }
    }

    fn grow(&mut self) {
        let mask = self.slots.len() * 2 - 1;
        self.slots = vec![0; mask + 1];
        for (at, hash) in self.hashes.iter().enumerate() {
            let mut slot = spread(*hash) & mask;
            while self.slots[slot] != 0 {
                slot = (slot + 1) & mask;
            }
            self.slots[slot] = at as u32 + 1;
        }
    }
}

fn hash(spelling: &str) -> u32 {
    spelling.bytes().fold(HASH_START, hash_step)
}

/// The hash's high bits are the better ones; this brings them down to where slots are taken from.
fn spread(hash: u32) -> usize {
    (hash ^ (hash >> 15)) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_stay_the_same_while_the_table_grows() {
        let mut names = Names::new();
        let spellings: Vec<String> = (0..5000).map(|number| format!("name{number}")).collect();
        let keys: Vec<u32> = spellings.iter().map(|text| names.intern(text.as_bytes(), hash(text)).unwrap()).collect();
        for (text, key) in spellings.iter().zip(keys) {
            assert_eq!(names.key(Symbol::new(text)), key);
            assert_eq!(names.symbol(key).as_str(), text);
            assert_eq!(Names::kind(key), TokenKind::Name);
        }
        let key = names.intern(b"__volatile__", hash("__volatile__")).unwrap();
        assert_eq!(Names::kind(key), TokenKind::Volatile);
        assert_eq!(names.key(Symbol::new("absent name")), 0);
    }
}
