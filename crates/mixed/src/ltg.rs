//! Labelled transition graphs (Definition 5.1) from control-flow automata.
//!
//! | paper | here |
//! |---|---|
//! | G = (B, E, X, delta, theta) | [`Ltg`] |
//! | b_s | [`Ltg::entry`] |
//! | delta(b), parallel assignments | [`Block::assignments`] |
//! | theta(b_i, b_j) | [`Edge::condition`] |
//!
//! A block is a sequence of operations without branches and joins. A value that is assigned is substituted for the later reads of
//! its variable, also in the conditions of the edges that leave the block, so all terms of a block speak of values at its
//! beginning. Assignments that others of the block overwrite are dropped. A variable that takes an arbitrary value is
//! assigned an input of its own.
//!
//! Invariants: only sequences are merged, never branches; no edge leads to the entry. An operation other than an assumption on one of
//! several edges that leave a location is a block of its own, which has no location.

use engine::{Reason, Step};
use ir::{Cfa, EdgeId, LocId, LocationKind, Op, ProcId};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use term::build::{and, truth};
use term::subst::substitute;
use term::{Term, Value};

/// The number of a block.
pub type BlockId = usize;

/// A set of blocks: the subspace of states where control is at one of them.
pub type Blocks = BTreeSet<BlockId>;

/// A labelled transition graph.
#[derive(Clone, Debug)]
pub struct Ltg {
    /// B
    pub blocks: Vec<Block>,
    /// E
    pub edges: Vec<Edge>,
    /// b_s
    pub entry: BlockId,
    /// X
    pub variables: Vec<Term>,
}

/// A basic block.
#[derive(Clone, Debug)]
pub struct Block {
    /// Where it begins, if states there are those of the block.
    pub location: Option<LocId>,
    /// delta: all at once, each variable once.
    pub assignments: Vec<(Term, Term)>,
    /// What takes arbitrary values in the block, in the order in which the operations ask for them.
    pub inputs: Vec<Term>,
    /// The edges of the automaton that it consists of, and how many inputs each asks for.
    pub steps: Vec<(EdgeId, usize)>,
    /// What reaching it means: error locations are blocks of their own.
    pub kind: LocationKind,
}

/// An edge between blocks.
#[derive(Clone, Debug)]
pub struct Edge {
    pub from: BlockId,
    pub to: BlockId,
    /// theta, over values at the beginning of the block.
    pub condition: Term,
    /// The edge of the automaton that was not part of the block.
    pub step: Option<EdgeId>,
}

impl Ltg {
    /// The graph of an automaton without calls and threads, over variables that sets of states can have.
    pub fn new(cfa: &Cfa, variables: Vec<Term>) -> Result<Ltg, Reason> {
        let leaders = Leaders::new(cfa);
        let numbers = leaders.0.iter().enumerate().map(|(number, location)| (*location, number)).collect();
        let ltg = Ltg { blocks: Vec::new(), edges: Vec::new(), entry: 0, variables };
        let mut builder = Builder { cfa, numbers, own: Vec::new(), ltg };
        for location in &leaders.0 {
            builder.block(*location)?;
        }
        builder.ltg.entry = builder.numbers[&cfa.entry()];
        Ok(builder.finish())
    }

    /// The edges that leave each block.
    pub fn outgoing(&self) -> Vec<Vec<usize>> {
        let mut outgoing = vec![Vec::new(); self.blocks.len()];
        for (number, edge) in self.edges.iter().enumerate() {
            outgoing[edge.from].push(number);
        }
        outgoing
    }

    /// The error states Q_Err, with those of what is not supported.
    pub fn errors(&self) -> Blocks {
        let is_error = |block: &Block| matches!(block.kind, LocationKind::Error(_) | LocationKind::Unsupported(_));
        self.blocks.iter().enumerate().filter(|(_, block)| is_error(block)).map(|(number, _)| number).collect()
    }

    /// The steps of the automaton along an edge, where inputs have these values.
    pub fn steps(&self, edge: &Edge, procedure: ProcId, value: impl Fn(Term) -> Value) -> Vec<Step> {
        let block = &self.blocks[edge.from];
        let mut inputs = block.inputs.iter().map(|input| value(*input));
        let step = |(edge, inputs): (EdgeId, Vec<Value>)| Step {
            thread: 0,
            procedure,
            edge,
            values: inputs,
            locals: Vec::new(),
        };
        let own = block.steps.iter().map(|(edge, count)| (*edge, inputs.by_ref().take(*count).collect()));
        let mut steps: Vec<Step> = own.map(step).collect();
        steps.extend(edge.step.map(|edge| step((edge, Vec::new()))));
        steps
    }
}

/// Where blocks begin, in ascending order: at the entry, where ways meet, behind branches, at special locations.
struct Leaders(BTreeSet<LocId>);

impl Leaders {
    fn new(cfa: &Cfa) -> Leaders {
        let mut leaders = BTreeSet::from([cfa.entry()]);
        let (mut seen, mut pending) = (BTreeSet::from([cfa.entry()]), vec![cfa.entry()]);
        let mut arrived = BTreeSet::new();
        while let Some(location) = pending.pop() {
            let outgoing = cfa.outgoing(location);
            for to in outgoing.iter().map(|edge| cfa.edge(*edge).to) {
                if outgoing.len() > 1 || !arrived.insert(to) || cfa.location(to).kind != LocationKind::Plain {
                    leaders.insert(to);
                }
                if seen.insert(to) {
                    pending.push(to);
                }
            }
        }
        Leaders(leaders)
    }
}

struct Builder<'a> {
    cfa: &'a Cfa,
    numbers: FxHashMap<LocId, BlockId>,
    /// Blocks of one operation, which come behind the others.
    own: Vec<(BlockId, Sequence, EdgeId)>,
    ltg: Ltg,
}

/// A sequence of operations as one parallel assignment under a condition.
struct Sequence {
    values: FxHashMap<Term, Term>,
    /// The variables in the order of their first assignment.
    order: Vec<Term>,
    condition: Term,
    inputs: Vec<Term>,
    steps: Vec<(EdgeId, usize)>,
}

impl Sequence {
    fn new() -> Sequence {
        let (values, order) = (FxHashMap::default(), Vec::new());
        Sequence { values, order, condition: truth(), inputs: Vec::new(), steps: Vec::new() }
    }

    fn read(&self, term: Term) -> Term {
        if self.values.is_empty() { term } else { substitute(term, |variable| self.values.get(&variable).copied()) }
    }

    fn write(&mut self, variable: Term, value: Term) {
        if self.values.insert(variable, value).is_none() {
            self.order.push(variable);
        }
    }

    fn then(&mut self, edge: EdgeId, op: &Op) -> Result<(), Reason> {
        let before = self.inputs.len();
        match op {
            Op::Assign(pairs) => {
                let values: Vec<Term> = pairs.iter().map(|(_, value)| self.read(*value)).collect();
                pairs.iter().zip(values).for_each(|((variable, _), value)| self.write(*variable, value));
            }
            Op::Assume(condition) => self.condition = and([self.condition, self.read(*condition)]),
            Op::Havoc(variables) => {
                for variable in variables {
                    let input = variable.at_instance(self.inputs.len() as u32 + 1);
                    self.inputs.push(input);
                    self.write(*variable, input);
                }
            }
            Op::AtomicBegin | Op::AtomicEnd => {}
            Op::Call { .. } | Op::Spawn { .. } => {
                let what = format!("{} is for programs without calls and threads", crate::NAME);
                return Err(Reason::NotAttempted(what));
            }
        }
        self.steps.push((edge, self.inputs.len() - before));
        Ok(())
    }

    fn block(self, location: Option<LocId>, kind: LocationKind) -> Block {
        let assignments = self.order.iter().map(|variable| (*variable, self.values[variable]));
        let assignments = assignments.filter(|(variable, value)| variable != value).collect();
        Block { location, assignments, inputs: self.inputs, steps: self.steps, kind }
    }
}

impl Builder<'_> {
    /// The block that begins at a location, with the edges that leave it.
    fn block(&mut self, location: LocId) -> Result<(), Reason> {
        let cfa = self.cfa;
        let (mut sequence, mut at) = (Sequence::new(), location);
        let from = self.ltg.blocks.len();
        loop {
            let outgoing = cfa.outgoing(at);
            let [edge] = outgoing else {
                for edge in outgoing {
                    self.branch(&sequence, from, *edge)?;
                }
                break;
            };
            let (id, edge) = (*edge, cfa.edge(*edge));
            sequence.then(id, &edge.op)?;
            if let Some(to) = self.numbers.get(&edge.to) {
                self.ltg.edges.push(Edge { from, to: *to, condition: sequence.condition, step: None });
                break;
            }
            at = edge.to;
        }
        self.ltg.blocks.push(sequence.block(Some(location), cfa.location(location).kind));
        Ok(())
    }

    /// One of several edges behind a sequence.
    fn branch(&mut self, sequence: &Sequence, from: BlockId, id: EdgeId) -> Result<(), Reason> {
        let edge = self.cfa.edge(id);
        let to = self.numbers[&edge.to];
        let mut condition = sequence.condition;
        let step = match &edge.op {
            Op::Assume(guard) => {
                condition = and([condition, sequence.read(*guard)]);
                Some(id)
            }
            op if op.writes().is_empty() && op.reads().is_empty() => Some(id),
            op => {
                let mut own = Sequence::new();
                own.then(id, op)?;
                self.own.push((self.ltg.edges.len(), own, id));
                None
            }
        };
        self.ltg.edges.push(Edge { from, to, condition, step });
        Ok(())
    }

    /// Puts the blocks of one operation into their edges.
    fn finish(mut self) -> Ltg {
        for (number, sequence, _) in self.own {
            let between = self.ltg.blocks.len();
            let to = std::mem::replace(&mut self.ltg.edges[number].to, between);
            self.ltg.blocks.push(sequence.block(None, LocationKind::Plain));
            self.ltg.edges.push(Edge { from: between, to, condition: truth(), step: None });
        }
        self.ltg
    }
}
