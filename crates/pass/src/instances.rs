//! Instances: each thread that a program starts gets a procedure of its own, and its variables become globals.
//!
//! For programs that start a bounded number of threads, each edge that starts one at most once. Then one may speak of the variables
//! of several threads in one formula, and a thread's own variables are those globals that no other procedure touches.
//!
//! Invariants: an instance has the locations and edges of its procedure, and behind them edges that pass arguments; instances have
//! no parameters, results or locals. A variable of the n-th instance is called `name#n`, those of the first keep their names.

use crate::{Lift, Passed};
use engine::{Proof, Step, Trace};
use ir::{Cfa, Edge, EdgeId, LocId, Location, Op, ProcId, Procedure, Program, Variable};
use rustc_hash::{FxHashMap, FxHashSet};
use source::Symbol;
use std::fmt;
use std::sync::Arc;
use term::subst::Substitution;
use term::{Op as TermOp, Term};

/// More threads than this are not told apart.
const MOST: usize = 32;

/// Why a program has no instances.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoInstances {
    /// The procedure may be started again and again.
    Unbounded(Symbol),
    /// There are too many threads.
    TooMany,
    /// The number of a thread is read.
    Numbers,
}

impl fmt::Display for NoInstances {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoInstances::Unbounded(name) => write!(f, "threads of {name} may be started without end"),
            NoInstances::TooMany => write!(f, "more than {MOST} threads are started"),
            NoInstances::Numbers => f.write_str("the number of a thread is read"),
        }
    }
}

/// Gives every thread of a program without calls its own procedure.
pub fn instances(program: &Program) -> Result<Passed, NoInstances> {
    if program.reads_thread_numbers() {
        return Err(NoInstances::Numbers);
    }
    let mut maker = Maker { program, instances: vec![program.entry], ancestors: vec![vec![program.entry]] };
    let (mut procedures, mut origins, mut variables) = (Vec::new(), Vec::new(), Vec::new());
    let mut globals: Vec<Variable> = program.globals.iter().filter(|global| !global.thread_local).cloned().collect();
    let mut names: FxHashSet<Symbol> = globals.iter().map(Variable::name).collect();
    let mut number = 0;
    while let Some(&procedure) = maker.instances.get(number) {
        let renamed = maker.variables(procedure, number, &mut names);
        globals.extend(renamed.iter().map(|(_, variable)| variable.clone()));
        let rename: FxHashMap<Term, Term> = renamed.iter().map(|(old, new)| (*old, new.term)).collect();
        variables.push(rename);
        number += 1;
        // Children are numbered as they are met, so their variables are not known yet: their bodies are made later.
        maker.meet_children(number - 1)?;
    }
    let mut next = 1;
    for (number, &procedure) in maker.instances.iter().enumerate() {
        let (instance, origin) = maker.instance(number, procedure, &variables, &mut next)?;
        procedures.push(instance);
        origins.push(origin);
    }
    let first: FxHashMap<Term, (usize, Term)> = variables
        .iter()
        .enumerate()
        .flat_map(|(number, rename)| rename.iter().map(move |(old, new)| (*new, (number, *old))))
        .collect();
    let program = Program { globals, procedures, entry: ProcId(0), objects: Vec::new(), ..program.clone() };
    Ok(Passed { program, lift: Arc::new(Back { origins, first }) })
}

struct Maker<'a> {
    program: &'a Program,
    /// The procedure of each instance.
    instances: Vec<ProcId>,
    /// The procedures of each instance and of those that led to it.
    ancestors: Vec<Vec<ProcId>>,
}

impl<'a> Maker<'a> {
    fn cfa(&self, procedure: ProcId) -> Option<&'a Cfa> {
        self.program.procedure(procedure).body.as_ref().ok()
    }

    fn spawns(&self, procedure: ProcId) -> Vec<(EdgeId, ProcId)> {
        let edges = self.cfa(procedure).into_iter().flat_map(Cfa::edges);
        edges
            .filter_map(
                |(id, edge)| if let Op::Spawn { procedure, .. } = edge.op { Some((id, procedure)) } else { None },
            )
            .collect()
    }

    /// The variables of an instance, with their names there.
    fn variables(&self, procedure: ProcId, number: usize, names: &mut FxHashSet<Symbol>) -> Vec<(Term, Variable)> {
        let declared = self.program.procedure(procedure);
        let copies = self.program.globals.iter().filter(|global| global.thread_local);
        let all = copies.chain(&declared.parameters).chain(&declared.results).chain(&declared.locals);
        let rename = |variable: &Variable| {
            let mut name = variable.name();
            while !names.insert(name) {
                name = Symbol::new(&format!("{name}#{number}"));
            }
            let op = TermOp::Var { name, instance: 0, sort: variable.sort() };
            let new = Variable { term: Term::new(op, &[]), thread_local: false, ..variable.clone() };
            (variable.term, new)
        };
        all.map(rename).collect()
    }

    fn meet_children(&mut self, number: usize) -> Result<(), NoInstances> {
        let procedure = self.instances[number];
        let Some(cfa) = self.cfa(procedure) else { return Ok(()) };
        for (edge, started) in self.spawns(procedure) {
            let is_repeated = self.ancestors[number].contains(&started) || returns(cfa, cfa.edge(edge));
            if is_repeated {
                return Err(NoInstances::Unbounded(self.program.procedure(started).name));
            }
            if self.instances.len() == MOST {
                return Err(NoInstances::TooMany);
            }
            self.instances.push(started);
            self.ancestors.push(self.ancestors[number].iter().copied().chain([started]).collect());
        }
        Ok(())
    }

    /// An instance and the edges that its edges stand for. `next` is the number of the next instance to be started.
    fn instance(
        &self,
        number: usize,
        procedure: ProcId,
        variables: &[FxHashMap<Term, Term>],
        next: &mut usize,
    ) -> Result<(Procedure, Origins), NoInstances> {
        let declared = self.program.procedure(procedure);
        let empty =
            || Procedure { parameters: Vec::new(), results: Vec::new(), locals: Vec::new(), ..declared.clone() };
        let Some(cfa) = self.cfa(procedure) else { return Ok((empty(), Vec::new())) };
        let (mut locations, mut edges, entry, exit) = cfa.clone().into_parts();
        let mut origins: Origins = (0..edges.len()).map(|edge| Some((procedure, EdgeId(edge as u32)))).collect();
        let mut rename = Substitution::new(|variable| variables[number].get(&variable).copied());
        let mut passing: Vec<Edge> = Vec::new();
        for edge in &mut edges {
            match &mut edge.op {
                Op::Assign(pairs) => {
                    pairs
                        .iter_mut()
                        .for_each(|(target, value)| (*target, *value) = (rename.apply(*target), rename.apply(*value)));
                }
                Op::Assume(condition) => *condition = rename.apply(*condition),
                Op::Havoc(havoced) => havoced.iter_mut().for_each(|variable| *variable = rename.apply(*variable)),
                Op::Spawn { procedure: started, arguments, thread } => {
                    let parameters = self.program.procedure(*started).parameters.iter();
                    let pairs = parameters.zip(arguments.iter());
                    let pairs =
                        pairs.map(|(p, argument)| (variables[*next][&p.term], rename.apply(*argument))).collect();
                    let (here, thread) = (LocId(locations.len() as u32), rename.apply(*thread));
                    locations.push(Location { label: None, ..locations[edge.from.0 as usize].clone() });
                    passing.push(Edge { to: here, op: Op::Assign(pairs), ..edge.clone() });
                    edge.from = here;
                    edge.op = Op::Spawn { procedure: ProcId(*next as u32), arguments: Vec::new(), thread };
                    *next += 1;
                }
                Op::AtomicBegin | Op::AtomicEnd | Op::Call { .. } => {}
            }
        }
        origins.extend(passing.iter().map(|_| None));
        edges.extend(passing);
        let name = if number == 0 { declared.name } else { Symbol::new(&format!("{}#{number}", declared.name)) };
        Ok((Procedure { name, body: Ok(Cfa::new(locations, edges, entry, exit)), ..empty() }, origins))
    }
}

/// Whether an edge may be taken again after it was.
fn returns(cfa: &Cfa, edge: &Edge) -> bool {
    let mut seen = FxHashSet::default();
    let mut pending = vec![edge.to];
    while let Some(at) = pending.pop() {
        if at == edge.from {
            return true;
        }
        if seen.insert(at) {
            pending.extend(cfa.outgoing(at).iter().map(|edge| cfa.edge(*edge).to));
        }
    }
    false
}

type Origins = Vec<Option<(ProcId, EdgeId)>>;

/// The way back.
struct Back {
    origins: Vec<Origins>,
    /// By its name now, the instance that a variable is of, and its name before.
    first: FxHashMap<Term, (usize, Term)>,
}

impl Lift for Back {
    fn trace(&self, trace: Trace) -> Trace {
        // A variable of several instances has the first value that the first of them has.
        let mut seen = FxHashSet::default();
        let old = |variable: Term| self.first.get(&variable).map_or((0, variable), |(number, old)| (*number, *old));
        let mut initial: Vec<_> = trace.initial.into_iter().map(|(variable, value)| (old(variable), value)).collect();
        initial.sort_by_key(|((number, _), _)| *number);
        let initial = initial.into_iter().map(|((_, variable), value)| (variable, value));
        let initial = initial.filter(|(variable, _)| seen.insert(*variable)).collect();
        let step = |step: Step| {
            let (procedure, edge) = self.edge(step.procedure, step.edge)?;
            Some(Step { procedure, edge, ..step })
        };
        Trace { initial, steps: trace.steps.into_iter().filter_map(step).collect(), ..trace }
    }

    fn proof(&self, proof: Proof) -> Option<Proof> {
        (proof == Proof::Unconnected).then_some(proof)
    }

    fn edge(&self, procedure: ProcId, edge: EdgeId) -> Option<(ProcId, EdgeId)> {
        self.origins[procedure.0 as usize][edge.0 as usize]
    }
}
