//! Numbers that are addresses: which pointer they were made from.
//!
//! A program that computes an address as a number, in several steps, and makes a pointer of it again means a pointer into
//! the object that it began with. Here it is remembered what the variables hold that such numbers were put into, as long
//! as it stays true on the way that is being written. So most programs never ask which object lies at an address.

use ir::{DataModel, Op, memory};
use rustc_hash::{FxHashMap, FxHashSet};
use term::free::Free;
use term::subst::substitute;
use term::{Op as TermOp, Term, Value, build};

/// How deep a sum is searched for the address of an object.
const SUM_DEPTH: u32 = 8;

/// What is known about the variables of a procedure at the location that is being written at.
pub(super) struct Provenance {
    bases: Term,
    /// Finds the map of addresses in terms.
    about_bases: Free,
    /// Local variables and the terms whose values they hold: numbers made from addresses, and constant pointers.
    known: FxHashMap<Term, Term>,
    /// All local variables that ever took such a value.
    pub derived: FxHashSet<Term>,
}

impl Provenance {
    pub fn new(model: DataModel) -> Provenance {
        let bases = memory::base(model);
        Provenance {
            bases,
            about_bases: Free::among([bases]),
            known: FxHashMap::default(),
            derived: FxHashSet::default(),
        }
    }

    /// What is known, to be put back later.
    pub fn known(&self) -> FxHashMap<Term, Term> {
        self.known.clone()
    }

    pub fn set_known(&mut self, known: FxHashMap<Term, Term>) {
        self.known = known;
    }

    /// That control may come from elsewhere.
    pub fn forget(&mut self) {
        self.known.clear();
    }

    fn is_address(&mut self, term: Term) -> bool {
        !self.about_bases.of(term).is_empty()
    }

    /// A term with variables replaced by what they are known to hold.
    pub fn resolve(&self, term: Term) -> Term {
        if self.known.is_empty() { term } else { substitute(term, |variable| self.known.get(&variable).copied()) }
    }

    /// That an operation is done.
    pub fn step(&mut self, op: &Op) {
        let mut learnt = Vec::new();
        if let Op::Assign(pairs) = op {
            for (variable, value) in pairs {
                let value = self.resolve(*value);
                let is_number = value.sort().bv_width().is_some() && self.is_address(value);
                let is_pointer = matches!(value.value(), Some(Value::Pointer { .. }));
                if is_local(*variable) && (is_number || is_pointer) {
                    learnt.push((*variable, value));
                }
            }
        }
        if !self.known.is_empty() {
            self.forget_changed(op);
        }
        let changed = op.writes();
        for (variable, value) in learnt {
            if value.value().is_none() {
                self.derived.insert(variable);
            }
            if !term::free::variables([value]).iter().any(|mentioned| changed.contains(mentioned)) {
                self.known.insert(variable, value);
            }
        }
    }

    /// Forgets what depends on variables that an operation changes.
    fn forget_changed(&mut self, op: &Op) {
        let changed = op.writes();
        let everything_shared = matches!(op, Op::Call { .. } | Op::Spawn { .. } | Op::AtomicBegin);
        let bases = self.bases;
        let lost = |variable: &Term| {
            changed.contains(variable) || (everything_shared && !is_local(*variable) && *variable != bases)
        };
        self.known.retain(|variable, value| !lost(variable) && !term::free::variables([*value]).iter().any(lost));
    }

    /// The pointer that an address was made from, if that can be seen.
    pub fn pointer(&mut self, address: Term) -> Option<Term> {
        let address = self.resolve(address);
        let (object, offset) = self.split(address, SUM_DEPTH)?;
        (!self.is_address(offset)).then(|| build::pointer(object, offset))
    }

    /// An address as that of an object and what is added to it.
    fn split(&self, address: Term, depth: u32) -> Option<(Term, Term)> {
        let width = address.sort().bv_width()?;
        match (address.op(), address.args()) {
            (TermOp::Select, [array, object]) if *array == self.bases => Some((*object, build::bv(width, 0))),
            (TermOp::BvAdd, [a, b]) if depth > 0 => match self.split(*a, depth - 1) {
                Some((object, rest)) => Some((object, build::bv_add(rest, *b))),
                None => self.split(*b, depth - 1).map(|(object, rest)| (object, build::bv_add(*a, rest))),
            },
            (TermOp::BvSub, [a, b]) if depth > 0 => {
                self.split(*a, depth - 1).map(|(object, rest)| (object, build::bv_sub(rest, *b)))
            }
            _ => None,
        }
    }
}

fn is_local(variable: Term) -> bool {
    variable.name().is_some_and(|name| name.as_str().contains("::"))
}
