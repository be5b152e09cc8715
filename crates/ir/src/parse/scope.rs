//! What the names in terms mean, as far as it is declared.

use rustc_hash::FxHashMap;
use source::Symbol;
use term::text::Scope;
use term::{Function, Sort, Term};

/// The declared variables and functions. Names of locals stay taken after their procedure, but mean nothing there.
#[derive(Default)]
pub(super) struct Declared {
    variables: FxHashMap<Symbol, (Term, Owner)>,
    functions: FxHashMap<Symbol, Function>,
    procedure: u32,
}

/// The number of the procedure that a variable is local to; none for a global.
type Owner = Option<u32>;

impl Declared {
    /// From here on, the locals declared so far mean nothing.
    pub(super) fn enter_procedure(&mut self) {
        self.procedure += 1;
    }

    /// The variable; `None` if its name is taken.
    pub(super) fn declare_variable(&mut self, name: Symbol, sort: Sort, global: bool) -> Option<Term> {
        if self.functions.contains_key(&name) || self.variables.contains_key(&name) {
            return None;
        }
        let term = Term::var(name, sort);
        self.variables.insert(name, (term, (!global).then_some(self.procedure)));
        Some(term)
    }

    /// Whether the name was not taken.
    pub(super) fn declare_function(&mut self, function: &Function) -> bool {
        let taken = self.variables.contains_key(&function.name);
        !taken && self.functions.insert(function.name, function.clone()).is_none()
    }

    /// The variable that a name means here.
    pub(super) fn find(&self, name: Symbol) -> Option<Term> {
        let (term, owner) = self.variables.get(&name)?;
        owner.is_none_or(|owner| owner == self.procedure).then_some(*term)
    }
}

impl Scope for Declared {
    fn variable(&self, name: Symbol) -> Option<Sort> {
        self.find(name).map(|variable| variable.sort())
    }

    fn function(&self, name: Symbol, parameters: &[Sort]) -> Option<Function> {
        self.functions.get(&name).filter(|function| function.parameters == parameters).cloned()
    }
}
