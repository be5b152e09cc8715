//! Halves: a variable that holds a pointer becomes two, for the object's identity and for the offset.
//!
//! Analyses of numbers see offsets then, and an identity that is constant can be found to be. Pointers inside maps stay
//! what they are. Programs with calls are left alone, because what is passed would have to be split, too.
//!
//! Invariants: locations and edges stay, and executions are the same ones, read differently; so traces and proofs go back.

use crate::{Identity, Lift, Passed};
use engine::{Invariant, Proof, Step, Trace};
use ir::{Cfa, EdgeId, Op, ProcId, Program, Variable};
use rustc_hash::FxHashMap;
use std::sync::Arc;
use term::build::{pointer, pointer_object, pointer_offset};
use term::subst::{Substitution, substitute};
use term::{Sort, SortKind, Term, Value};

/// The two variables of a pointer.
#[derive(Clone, Copy)]
struct Halves {
    object: Term,
    offset: Term,
}

/// Splits pointers that are variables.
pub fn halves(program: &Program) -> Passed {
    let is_passed = |op: &Op| matches!(op, Op::Call { .. } | Op::Spawn { .. });
    let locals = program.procedures.iter().flat_map(|procedure| &procedure.locals);
    let split: FxHashMap<Term, Halves> =
        program.globals.iter().chain(locals).filter_map(|variable| Some((variable.term, of(variable)?))).collect();
    if split.is_empty() || program.edges().any(|edge| is_passed(&edge.op)) {
        return Passed { program: program.clone(), lift: Arc::new(Identity) };
    }
    let mut numbers = program.clone();
    let declare = |declared: &mut Vec<Variable>| {
        let two = |variable: &Variable| match split.get(&variable.term) {
            Some(halves) => {
                let half = |term| Variable { term, user_name: None, user_type: None, ..variable.clone() };
                vec![half(halves.object), half(halves.offset)]
            }
            None => vec![variable.clone()],
        };
        *declared = declared.iter().flat_map(two).collect();
    };
    declare(&mut numbers.globals);
    numbers.procedures.iter_mut().for_each(|procedure| declare(&mut procedure.locals));
    let mut whole = Substitution::new(|v| split.get(&v).map(|halves| pointer(halves.object, halves.offset)));
    let mut havocs = FxHashMap::default();
    for (number, procedure) in numbers.procedures.iter_mut().enumerate() {
        let Ok(body) = &procedure.body else { continue };
        let (locations, mut edges, entry, exit) = body.clone().into_parts();
        for (edge, id) in edges.iter_mut().zip(0..) {
            edge.op = match &edge.op {
                Op::Assign(pairs) => Op::Assign(
                    pairs.iter().flat_map(|(variable, value)| assign(*variable, whole.apply(*value), &split)).collect(),
                ),
                Op::Havoc(variables) => {
                    havocs.insert((ProcId(number as u32), EdgeId(id)), variables.clone());
                    Op::Havoc(variables.iter().flat_map(|variable| parts(*variable, &split)).collect())
                }
                op => op.with_terms(&mut |term| whole.apply(term)),
            };
        }
        procedure.body = Ok(Cfa::new(locations, edges, entry, exit));
    }
    numbers.axioms = numbers.axioms.iter().map(|axiom| whole.apply(*axiom)).collect();
    Passed { program: numbers, lift: Arc::new(Joined { split, havocs }) }
}

/// The halves of a variable that holds a pointer. No name that a program or a pass gives ends like these.
fn of(variable: &Variable) -> Option<Halves> {
    let SortKind::Pointer(width) = variable.sort().kind() else { return None };
    let half = |name: &str, sort| Term::var(format!("{}@{name}", variable.name()).as_str(), sort);
    Some(Halves { object: half("object", Sort::object()), offset: half("offset", Sort::bv(*width)) })
}

fn parts(variable: Term, split: &FxHashMap<Term, Halves>) -> Vec<Term> {
    split.get(&variable).map_or(vec![variable], |halves| vec![halves.object, halves.offset])
}

fn assign(variable: Term, value: Term, split: &FxHashMap<Term, Halves>) -> Vec<(Term, Term)> {
    match split.get(&variable) {
        None => vec![(variable, value)],
        Some(halves) => vec![(halves.object, pointer_object(value)), (halves.offset, pointer_offset(value))],
    }
}

/// The way back.
struct Joined {
    split: FxHashMap<Term, Halves>,
    /// The variables that edges havoced.
    havocs: FxHashMap<(ProcId, EdgeId), Vec<Term>>,
}

impl Joined {
    /// The value of a pointer, from those of its halves; a half that is not named is zero.
    fn pointer(halves: &Halves, value: impl Fn(Term) -> Option<Value>) -> Option<Value> {
        let number = |half: Term| value(half).or_else(|| Value::zero(half.sort()))?.as_bv();
        Some(Value::Pointer { object: number(halves.object)?.unsigned() as u32, offset: number(halves.offset)? })
    }

    fn variables(&self, values: Vec<(Term, Value)>) -> Vec<(Term, Value)> {
        let known: FxHashMap<Term, Value> = values.iter().cloned().collect();
        let is_known = |halves: &Halves| known.contains_key(&halves.object) || known.contains_key(&halves.offset);
        let pointers = self.split.iter().filter(|(_, halves)| is_known(halves));
        let whole =
            pointers.filter_map(|(v, halves)| Some((*v, Self::pointer(halves, |half| known.get(&half).cloned())?)));
        let mut whole: Vec<(Term, Value)> = whole.collect();
        whole.sort_unstable_by_key(|(variable, _)| *variable);
        let halves: FxHashMap<Term, ()> =
            self.split.values().flat_map(|halves| [(halves.object, ()), (halves.offset, ())]).collect();
        let others = values.into_iter().filter(|(variable, _)| !halves.contains_key(variable));
        others.chain(whole).collect()
    }

    fn chosen(&self, variables: &[Term], values: Vec<Value>) -> Vec<Value> {
        let mut values = values.into_iter();
        let mut chosen = Vec::new();
        for variable in variables {
            chosen.extend(match self.split.get(variable) {
                None => values.next(),
                Some(halves) => {
                    let pair = [values.next(), values.next()];
                    Self::pointer(halves, |half| pair[usize::from(half == halves.offset)].clone())
                }
            });
        }
        chosen
    }
}

impl Lift for Joined {
    fn trace(&self, trace: Trace) -> Trace {
        let step = |step: Step| {
            let values = match self.havocs.get(&(step.procedure, step.edge)) {
                Some(variables) => self.chosen(variables, step.values),
                None => step.values,
            };
            Step { values, locals: self.variables(step.locals), ..step }
        };
        let steps = trace.steps.into_iter().map(step).collect();
        Trace { initial: self.variables(trace.initial), steps, ..trace }
    }

    fn proof(&self, proof: Proof) -> Option<Proof> {
        let Proof::Invariants(invariants) = proof else { return (proof == Proof::Unconnected).then_some(proof) };
        let whole: FxHashMap<Term, Term> = (self.split.iter())
            .flat_map(|(v, halves)| [(halves.object, pointer_object(*v)), (halves.offset, pointer_offset(*v))])
            .collect();
        let back = |term: Term| substitute(term, |v| whole.get(&v).copied());
        let invariants = invariants.into_iter().map(|known| Invariant { formula: back(known.formula), ..known });
        Some(Proof::Invariants(invariants.collect()))
    }
}
