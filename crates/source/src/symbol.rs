//! Interned strings, cheap to copy and to compare.

use std::collections::HashSet;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::{LazyLock, Mutex};

static STRINGS: LazyLock<Mutex<HashSet<&'static str>>> = LazyLock::new(Mutex::default);

/// An interned string. Two symbols are equal exactly when their strings are; the comparison looks at one pointer.
///
/// `Ord` follows the strings, so that sorted output does not depend on the order of interning.
#[derive(Clone, Copy)]
pub struct Symbol(&'static str);

impl Symbol {
    /// The symbol for `text`. The text is kept until the process ends.
    pub fn new(text: &str) -> Symbol {
        let mut strings = STRINGS.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        match strings.get(text) {
            Some(known) => Symbol(known),
            None => {
                let kept: &'static str = Box::leak(text.into());
                strings.insert(kept);
                Symbol(kept)
            }
        }
    }

    /// The string itself.
    pub fn as_str(self) -> &'static str {
        self.0
    }
}

impl PartialEq for Symbol {
    fn eq(&self, other: &Symbol) -> bool {
        // The empty string has no address of its own, so lengths count too.
        std::ptr::eq(self.0, other.0)
    }
}

impl Eq for Symbol {}

impl Hash for Symbol {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.0.as_ptr() as usize, self.0.len()).hash(state);
    }
}

impl PartialOrd for Symbol {
    fn partial_cmp(&self, other: &Symbol) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Symbol {
    fn cmp(&self, other: &Symbol) -> std::cmp::Ordering {
        self.0.cmp(other.0)
    }
}

impl fmt::Display for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.0)
    }
}

impl fmt::Debug for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.0, f)
    }
}

impl From<&str> for Symbol {
    fn from(text: &str) -> Symbol {
        Symbol::new(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_strings_are_one_symbol() {
        assert_eq!(Symbol::new("x"), Symbol::new(&String::from("x")));
        assert_eq!(Symbol::new(""), Symbol::new(""));
        assert_ne!(Symbol::new(""), Symbol::new("x"));
        assert!(Symbol::new("a") < Symbol::new("b"));
    }
}
