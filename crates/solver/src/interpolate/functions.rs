//! Uninterpreted functions as arrays and back, for solvers that have only arrays.
//!
//! A function of several arguments becomes an array of arrays. A formula over these arrays that only selects from them
//! with all indices is a formula over the functions again.

use crate::fresh::fresh;
use rustc_hash::FxHashMap;
use term::{Function, Op, Sort, Term, build, visit};

#[derive(Default)]
pub(super) struct Arrays {
    arrays: FxHashMap<Function, Term>,
    functions: FxHashMap<Term, Function>,
    memo: FxHashMap<Term, Term>,
}

impl Arrays {
    /// The array that stands for a function.
    pub fn array(&mut self, function: &Function) -> Term {
        if let Some(known) = self.arrays.get(function) {
            return *known;
        }
        let sort = function.parameters.iter().rev().fold(function.result, |to, from| Sort::array(*from, to));
        let array = fresh("function", sort);
        self.arrays.insert(function.clone(), array);
        self.functions.insert(array, function.clone());
        array
    }

    /// The formula with arrays in place of functions.
    pub fn replace(&mut self, formula: Term) -> Term {
        let mut memo = std::mem::take(&mut self.memo);
        let replaced = visit::bottom_up(formula, &mut memo, |term, memo| match term.op() {
            Op::Apply(function) => {
                let array = self.array(function);
                // Plain selections, so that they can be recognised again.
                term.args().iter().fold(array, |array, arg| Term::new(Op::Select, &[array, memo[arg]]))
            }
            _ => visit::map_children(term, |arg| memo[&arg]),
        });
        self.memo = memo;
        replaced
    }

    /// The formula with functions in place of arrays. `None` if an array is used other than by selecting from it.
    pub fn restore(&self, formula: Term) -> Option<Term> {
        // While the arguments of a function are being collected, its term is missing.
        visit::bottom_up(formula, &mut FxHashMap::default(), |term, memo: &FxHashMap<Term, Restored>| match term.op() {
            Op::Var { .. } => match self.functions.get(&term) {
                Some(function) => collected(function, Vec::new()),
                None => Restored::Term(term),
            },
            Op::Select => match (&memo[&term.args()[0]], &memo[&term.args()[1]]) {
                (Restored::Partial(function, args), Restored::Term(arg)) => {
                    collected(function, args.iter().copied().chain([*arg]).collect())
                }
                (Restored::Term(array), Restored::Term(index)) => Restored::Term(build::select(*array, *index)),
                _ => Restored::Failed,
            },
            _ if term.args().iter().all(|arg| matches!(memo[arg], Restored::Term(_))) => {
                Restored::Term(visit::map_children(term, |arg| match memo[&arg] {
                    Restored::Term(restored) => restored,
                    _ => arg,
                }))
            }
            _ => Restored::Failed,
        })
        .term()
    }
}

#[derive(Clone)]
enum Restored {
    Term(Term),
    Partial(Function, Vec<Term>),
    Failed,
}

impl Restored {
    fn term(self) -> Option<Term> {
        match self {
            Restored::Term(term) => Some(term),
            _ => None,
        }
    }
}

fn collected(function: &Function, args: Vec<Term>) -> Restored {
    if args.len() == function.parameters.len() {
        Restored::Term(build::apply(function.clone(), &args))
    } else {
        Restored::Partial(function.clone(), args)
    }
}
