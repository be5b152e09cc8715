//! Bits: machine integers and pointers become Booleans, one for each bit, and what is computed with them becomes gates.
//!
//! A variable `x` of n bits becomes the variables `x.0` to `x.(n-1)`, the lowest first; a pointer's offset is below its object. So
//! any program over machine integers, without arrays and calls, is a Boolean program, for engines that know nothing else.
//!
//! Invariants: locations and edges stay; an execution of the one program is an execution of the other, bit by bit. The numbers
//! of threads are kept as they are, since nobody reads them.

use crate::{Lift, Passed};
use engine::{Proof, Step, Trace};
use ir::{Cfa, EdgeId, Op, ProcId, Program, Variable};
use rustc_hash::{FxHashMap, FxHashSet};
use solver::circuits::{Circuits, Logic, decode, width};
use source::Symbol;
use std::fmt;
use std::ops::Not;
use std::rc::Rc;
use std::sync::Arc;
use term::visit::post_order;
use term::{Op as TermOp, Sort, SortKind, Term, Value, build};

/// What has no bits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NoBits(pub String);

impl fmt::Display for NoBits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} has no bits", self.0)
    }
}

/// A Boolean term as a bit.
#[derive(Clone, Copy)]
struct Bit(Term);

impl Not for Bit {
    type Output = Bit;

    fn not(self) -> Bit {
        Bit(build::not(self.0))
    }
}

/// Terms as gates.
struct Terms;

impl Logic for Terms {
    type Bit = Bit;

    fn constant(&self, value: bool) -> Bit {
        Bit(build::bool(value))
    }

    fn known(&self, bit: Bit) -> Option<bool> {
        bit.0.as_bool()
    }

    fn and(&mut self, a: Bit, b: Bit) -> Bit {
        Bit(build::and([a.0, b.0]))
    }

    fn xor(&mut self, a: Bit, b: Bit) -> Bit {
        Bit(build::xor(a.0, b.0))
    }

    fn ite(&mut self, condition: Bit, a: Bit, b: Bit) -> Bit {
        Bit(build::ite(condition.0, a.0, b.0))
    }

    fn majority(&mut self, a: Bit, b: Bit, c: Bit) -> Bit {
        let either = build::and([c.0, build::or([a.0, b.0])]);
        Bit(build::or([build::and([a.0, b.0]), either]))
    }

    fn all(&mut self, bits: &[Bit]) -> Bit {
        Bit(build::and(bits.iter().map(|bit| bit.0)))
    }
}

/// Makes a program without calls and arrays one of Booleans.
pub fn bits(program: &Program) -> Result<Passed, NoBits> {
    if let Some(axiom) = program.axioms.first() {
        return Err(NoBits(format!("the axiom {axiom}")));
    }
    let numbers = mere_numbers(program);
    let mut blaster = Blaster { variables: FxHashMap::default(), known: FxHashMap::default() };
    let names: FxHashSet<Symbol> = variables(program).map(Variable::name).collect();
    for variable in variables(program).filter(|variable| !numbers.contains(&variable.term)) {
        blaster.declare(variable, &names)?;
    }
    let mut small = program.clone();
    let split = |declared: &mut Vec<Variable>| {
        *declared = declared.iter().flat_map(|variable| blaster.declared(variable)).collect();
    };
    split(&mut small.globals);
    for procedure in &mut small.procedures {
        [&mut procedure.parameters, &mut procedure.results, &mut procedure.locals].into_iter().for_each(split);
    }
    let mut havocs = FxHashMap::default();
    for (number, procedure) in small.procedures.iter_mut().enumerate() {
        let Ok(body) = &procedure.body else { continue };
        let (locations, mut edges, entry, exit) = body.clone().into_parts();
        for (edge, id) in edges.iter_mut().zip(0..) {
            if let Op::Havoc(variables) = &edge.op {
                havocs.insert((ProcId(number as u32), EdgeId(id)), variables.clone());
            }
            edge.op = blaster.operation(&edge.op)?;
        }
        procedure.body = Ok(Cfa::new(locations, edges, entry, exit));
    }
    let parts = blaster.variables.iter().flat_map(|(old, bits)| {
        let numbered = bits.iter().enumerate();
        numbered.map(|(number, bit)| (bit.0, (*old, number)))
    });
    let lift = Assembly { parts: parts.collect(), havocs };
    Ok(Passed { program: small, lift: Arc::new(lift) })
}

fn variables(program: &Program) -> impl Iterator<Item = &Variable> {
    let own = program.procedures.iter().flat_map(|p| p.parameters.iter().chain(&p.results).chain(&p.locals));
    program.globals.iter().chain(own)
}

/// Variables that take the numbers of threads and are nowhere else.
fn mere_numbers(program: &Program) -> FxHashSet<Term> {
    let elsewhere = |op: &Op| if let Op::Spawn { arguments, .. } = op { arguments.clone() } else { op.terms() };
    let used = term::free::variables(program.edges().flat_map(|edge| elsewhere(&edge.op)));
    let mut numbers = program.thread_numbers();
    numbers.retain(|number| !used.contains(number));
    numbers
}

struct Blaster {
    variables: FxHashMap<Term, Rc<[Bit]>>,
    known: FxHashMap<Term, Rc<[Bit]>>,
}

impl Blaster {
    fn declare(&mut self, variable: &Variable, names: &FxHashSet<Symbol>) -> Result<(), NoBits> {
        let name = variable.name();
        // Arbitrary bits are not always those of a float.
        let bits = width(variable.sort()).filter(|_| !matches!(variable.sort().kind(), SortKind::Float(_)));
        let width = bits.ok_or_else(|| NoBits(format!("{name}, of sort {},", variable.sort())))?;
        let bits = if variable.sort().is_bool() {
            vec![Bit(variable.term)]
        } else {
            let named = |dots: &str| -> Vec<String> { (0..width).map(|bit| format!("{name}{dots}{bit}")).collect() };
            let mut dots = ".".to_string();
            while named(&dots).iter().any(|name| names.contains(&Symbol::new(name))) {
                dots.push('.');
            }
            named(&dots).iter().map(|name| Bit(Term::var(name.as_str(), Sort::bool()))).collect()
        };
        self.variables.insert(variable.term, bits.into());
        Ok(())
    }

    /// A variable's bits as variables.
    fn declared(&self, variable: &Variable) -> Vec<Variable> {
        let Some(bits) = self.variables.get(&variable.term) else { return vec![variable.clone()] };
        bits.iter().map(|bit| Variable { term: bit.0, ..variable.clone() }).collect()
    }

    fn operation(&mut self, op: &Op) -> Result<Op, NoBits> {
        Ok(match op {
            Op::Assign(pairs) => {
                let mut bits = Vec::new();
                for (target, value) in pairs {
                    let (targets, values) = (self.bits(*target)?, self.bits(*value)?);
                    bits.extend(targets.iter().zip(values.iter()).map(|(target, value)| (target.0, value.0)));
                }
                Op::Assign(bits)
            }
            Op::Assume(condition) => Op::Assume(self.bits(*condition)?[0].0),
            Op::Havoc(variables) => Op::Havoc(self.all(variables)?),
            Op::Spawn { thread, .. } if self.variables.contains_key(thread) => {
                return Err(NoBits("the number of a thread, which is read,".to_string()));
            }
            Op::Spawn { procedure, arguments, thread } => {
                Op::Spawn { procedure: *procedure, arguments: self.all(arguments)?, thread: *thread }
            }
            Op::AtomicBegin => Op::AtomicBegin,
            Op::AtomicEnd => Op::AtomicEnd,
            Op::Call { .. } => return Err(NoBits("a call".to_string())),
        })
    }

    fn all(&mut self, terms: &[Term]) -> Result<Vec<Term>, NoBits> {
        let mut all = Vec::new();
        for term in terms {
            all.extend(self.bits(*term)?.iter().map(|bit| bit.0));
        }
        Ok(all)
    }

    fn bits(&mut self, root: Term) -> Result<Rc<[Bit]>, NoBits> {
        for term in post_order([root]) {
            if self.known.contains_key(&term) {
                continue;
            }
            let none = || NoBits(format!("{:?} of sort {}", term.op(), term.sort()).chars().take(100).collect());
            let width = width(term.sort()).ok_or_else(none)?;
            let bits: Rc<[Bit]> = match term.op() {
                TermOp::Var { .. } => self.variables.get(&term).cloned().ok_or_else(none)?,
                TermOp::Const(value) => Terms.value(value).ok_or_else(none)?.into(),
                op => {
                    let args: Vec<Rc<[Bit]>> = term.args().iter().map(|arg| self.known[arg].clone()).collect();
                    Terms.operate(op, &args, width).ok_or_else(none)?.into()
                }
            };
            self.known.insert(term, bits);
        }
        Ok(self.known[&root].clone())
    }
}

/// The way back.
struct Assembly {
    /// The variable that a bit is of, and its number.
    parts: FxHashMap<Term, (Term, usize)>,
    /// The variables that edges havoced.
    havocs: FxHashMap<(ProcId, EdgeId), Vec<Term>>,
}

impl Assembly {
    /// The values of variables, from those of some of their bits.
    fn assembled(&self, bits: Vec<(Term, Value)>) -> Vec<(Term, Value)> {
        let mut found: Vec<(Term, Vec<bool>)> = Vec::new();
        let mut places: FxHashMap<Term, usize> = FxHashMap::default();
        let mut others = Vec::new();
        for (bit, value) in bits {
            let Some((old, number)) = self.parts.get(&bit) else {
                others.push((bit, value));
                continue;
            };
            let place = *places.entry(*old).or_insert_with(|| {
                found.push((*old, vec![false; width(old.sort()).unwrap_or(1)]));
                found.len() - 1
            });
            found[place].1[*number] = value.as_bool() == Some(true);
        }
        let whole = found.into_iter().filter_map(|(old, bits)| Some((old, decode(old.sort(), &bits)?)));
        whole.chain(others).collect()
    }

    fn values(&self, variables: &[Term], bits: &[Value]) -> Vec<Value> {
        let mut bits = bits.iter().map(|bit| bit.as_bool() == Some(true));
        let value = |variable: &Term| {
            let own: Vec<bool> = bits.by_ref().take(width(variable.sort()).unwrap_or(1)).collect();
            decode(variable.sort(), &own)
        };
        variables.iter().filter_map(value).collect()
    }
}

impl Lift for Assembly {
    fn trace(&self, trace: Trace) -> Trace {
        let back = |step: Step| {
            let values = match self.havocs.get(&(step.procedure, step.edge)) {
                Some(variables) => self.values(variables, &step.values),
                None => step.values,
            };
            Step { values, locals: self.assembled(step.locals), ..step }
        };
        let steps = trace.steps.into_iter().map(back).collect();
        Trace { initial: self.assembled(trace.initial), steps, ..trace }
    }

    fn proof(&self, proof: Proof) -> Option<Proof> {
        (proof == Proof::Unconnected).then_some(proof)
    }
}
