//! What a program can be checked for.
//!
//! A property has one short name, which the command line, reports and IR programs share. SV-COMP writes properties in
//! a fragment of LTL; [`ltl`](self::ltl) maps it to these. A property that is well formed but that nothing implements is kept as
//! [`Property::Other`], so that the answer can be UNKNOWN with its name.

mod ltl;

pub use ltl::{Specification, SyntaxError, parse_ltl};

use source::Symbol;
use std::fmt;

/// One thing that must not happen in any execution.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Property {
    /// `reach_error` or `__VERIFIER_error` is called, or an assertion fails.
    UnreachCall,
    /// Control reaches a label of this name, in any function.
    UnreachLabel(Symbol),
    NoOverflow,
    ValidDeref,
    ValidFree,
    ValidMemtrack,
    ValidMemcleanup,
    NoDataRace,
    ArrayBounds,
    NullDeref,
    DivByZero,
    Uninitialised,
    Locking,
    Strings,
    /// A property that other tools know: what it is.
    Other(Symbol),
}

/// The properties that have a fixed short name.
const NAMED: &[(&str, Property)] = &[
    ("unreach-call", Property::UnreachCall),
    ("no-overflow", Property::NoOverflow),
    ("valid-deref", Property::ValidDeref),
    ("valid-free", Property::ValidFree),
    ("valid-memtrack", Property::ValidMemtrack),
    ("valid-memcleanup", Property::ValidMemcleanup),
    ("no-data-race", Property::NoDataRace),
    ("array-bounds", Property::ArrayBounds),
    ("null-deref", Property::NullDeref),
    ("div-by-zero", Property::DivByZero),
    ("uninitialised", Property::Uninitialised),
    ("locking", Property::Locking),
    ("strings", Property::Strings),
];

const LABEL: &str = "unreach-label:";
const MEMSAFETY: &str = "valid-memsafety";

impl Property {
    /// The properties that a short name stands for, if it is one.
    pub fn from_short_name(name: &str) -> Option<Vec<Property>> {
        if name == MEMSAFETY {
            return Some(vec![Property::ValidDeref, Property::ValidFree, Property::ValidMemtrack]);
        }
        if let Some(label) = name.strip_prefix(LABEL) {
            return (!label.is_empty()).then(|| vec![Property::UnreachLabel(Symbol::new(label))]);
        }
        NAMED.iter().find(|(known, _)| *known == name).map(|(_, property)| vec![*property])
    }

    /// All short names, as a user may write them.
    pub fn short_names() -> impl Iterator<Item = String> {
        let label = format!("{LABEL}NAME");
        let named = NAMED.iter().map(|(name, _)| name.to_string());
        named.chain([label, MEMSAFETY.to_string()])
    }

    /// The property whose class an IR program names.
    pub fn from_class(class: Symbol) -> Property {
        match Property::from_short_name(class.as_str()).as_deref() {
            Some([property]) => *property,
            _ => Property::Other(class),
        }
    }
}

impl fmt::Display for Property {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Property::UnreachLabel(label) => write!(f, "{LABEL}{label}"),
            Property::Other(what) => write!(f, "{what}"),
            _ => {
                let name = NAMED.iter().find(|(_, property)| property == self).map(|(name, _)| *name);
                f.write_str(name.unwrap_or("?"))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_name_is_printed_as_it_was_read() {
        for name in Property::short_names().filter(|name| name != MEMSAFETY) {
            let properties = Property::from_short_name(&name).unwrap();
            assert_eq!(properties.iter().map(|p| p.to_string()).collect::<Vec<_>>(), std::slice::from_ref(&name));
            assert_eq!(Property::from_class(Symbol::new(&name)), properties[0]);
        }
    }

    #[test]
    fn memory_safety_is_three_properties() {
        let all = Property::from_short_name("valid-memsafety").unwrap();
        assert_eq!(all, [Property::ValidDeref, Property::ValidFree, Property::ValidMemtrack]);
    }

    #[test]
    fn what_is_no_name_is_refused() {
        for text in ["", "unreach", "unreach-label:", "Unreach-call", "CHECK(init(main()), LTL(G valid-free))"] {
            assert_eq!(Property::from_short_name(text), None, "{text}");
        }
    }
}
