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
    NoDeadlock,
    ArrayBounds,
    NullDeref,
    DivByZero,
    ShiftRange,
    Uninitialised,
    Locking,
    Strings,
    /// An automaton of the user reaches an error state: its name.
    Automaton(Symbol),
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
    ("no-deadlock", Property::NoDeadlock),
    ("array-bounds", Property::ArrayBounds),
    ("null-deref", Property::NullDeref),
    ("div-by-zero", Property::DivByZero),
    ("shift-range", Property::ShiftRange),
    ("uninitialised", Property::Uninitialised),
    ("locking", Property::Locking),
    ("strings", Property::Strings),
];

/// What a user writes to have a program checked for every property, each by itself.
pub const ALL: &str = "all";

const LABEL: &str = "unreach-label:";
const AUTOMATON: &str = "automaton:";
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
        named.chain([label, MEMSAFETY.to_string(), ALL.to_string()])
    }

    /// The property whose class an IR program names.
    pub fn from_class(class: Symbol) -> Property {
        if let Some(name) = class.as_str().strip_prefix(AUTOMATON) {
            return Property::Automaton(Symbol::new(name));
        }
        match Property::from_short_name(class.as_str()).as_deref() {
            Some([property]) => *property,
            _ => Property::Other(class),
        }
    }

    /// The property as SV-COMP writes it, about executions that start in a function; Fathom's own are written alike.
    pub fn ltl(self, entry: Symbol) -> String {
        let formula = match self {
            Property::UnreachCall => "G ! call(reach_error())".to_string(),
            Property::UnreachLabel(label) => format!("G ! label({label})"),
            Property::NoOverflow => "G ! overflow".to_string(),
            Property::NoDataRace => "G ! data-race".to_string(),
            other => format!("G {other}"),
        };
        format!("CHECK( init({entry}()), LTL({formula}) )")
    }

    /// The properties that [`ALL`] stands for.
    pub fn all() -> impl Iterator<Item = Property> {
        NAMED.iter().map(|(_, property)| *property)
    }
}

impl fmt::Display for Property {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Property::UnreachLabel(label) => write!(f, "{LABEL}{label}"),
            Property::Automaton(name) => write!(f, "{AUTOMATON}{name}"),
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
        for name in Property::short_names().filter(|name| name != MEMSAFETY && name != ALL) {
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
