//! The bounded stack that recursive procedures save their state on.
//!
//! Each variable that is saved has a stack of its own: as many variables as there may be activations below the
//! running one. What was saved last is in the first of them, so saving and restoring move all values by one place,
//! and no term depends on the depth. That keeps relations between blocks sums of copies, which sets of states and
//! predicates bear better than an array that is read at a computed place. A place that is free holds zero, so that
//! states differ only in what matters.

use ir::Variable;
use rustc_hash::FxHashMap;
use term::{Term, Value};

/// The stacks of one thread entry.
#[derive(Default)]
pub struct Stacks {
    /// For each variable that is saved its places, the top first.
    places: FxHashMap<Term, Vec<Term>>,
    declared: Vec<Variable>,
}

/// Assignments that happen at once.
pub type Pairs = Vec<(Term, Term)>;

impl Stacks {
    /// What saves variables, on stacks with so many places.
    pub fn push(&mut self, variables: &[Term], places: usize) -> Pairs {
        let shift = |stacks: &mut Stacks, variable: &Term| {
            let stack = stacks.of(*variable, places).to_vec();
            let below = std::iter::once(*variable).chain(stack.clone());
            stack.into_iter().zip(below).collect::<Pairs>()
        };
        variables.iter().flat_map(|variable| shift(self, variable)).collect()
    }

    /// What restores variables from such stacks.
    pub fn pop(&mut self, variables: &[Term], places: usize) -> Pairs {
        let shift = |stacks: &mut Stacks, variable: &Term| {
            let stack = stacks.of(*variable, places).to_vec();
            let free = Value::zero(variable.sort()).map(Term::constant);
            let above = std::iter::once(*variable).chain(stack.clone());
            let below = stack.iter().copied().map(Some).chain([free]);
            above.zip(below).filter_map(|(place, value)| Some((place, value?))).collect::<Pairs>()
        };
        variables.iter().flat_map(|variable| shift(self, variable)).collect()
    }

    /// What makes all places free.
    pub fn free(&self) -> Pairs {
        let free = |variable: &Variable| Some((variable.term, Term::constant(Value::zero(variable.sort())?)));
        self.declared.iter().filter_map(free).collect()
    }

    /// The variables that the stacks consist of.
    pub fn into_declared(self) -> Vec<Variable> {
        self.declared
    }

    fn of(&mut self, variable: Term, places: usize) -> &[Term] {
        let declared = &mut self.declared;
        self.places.entry(variable).or_insert_with(|| {
            let name = variable.name().expect("what is saved is a variable");
            // It holds one object of several that live at a time.
            let name = name.as_str().replace("::&", "::@&");
            let place = |depth: usize| Variable::internal(format!("{name}%saved{depth}").as_str(), variable.sort());
            let own: Vec<Variable> = (1..=places).map(place).collect();
            let terms = own.iter().map(|variable| variable.term).collect();
            declared.extend(own);
            terms
        })
    }
}
