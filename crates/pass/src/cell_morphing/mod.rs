//! Cell morphing: of every map only the elements at a few places are kept, places that are arbitrary but never change
//! (Monniaux and Gonnord, "Cell Morphing: From Array Programs to Array-Free Horn Clauses", with places chosen as prophecies).
//!
//! | paper | here |
//! |---|---|
//! | distinguished index k | a *place*: a term over *rigid* variables, which nobody assigns |
//! | its value a_k | a *cell*: the variable `map[n]` for the n-th place |
//!
//! The program is cut into large blocks ([`crate::summarise`]). An execution that reaches an error ends with one *last* block,
//! from some location to the error; all other blocks are *inner* ones, and do not lead to an error.
//!
//! - In a last block, what is read of a map at the start of the block is read from a cell: each index there is a place, with
//!   rigid variables instead of the index's variables, and the block can be taken only if the variables equal the rigid ones.
//! - In an inner block, what is read at an index is that of the cell whose place equals the index, or an arbitrary value if no
//!   place does. What is written at an index changes the cells whose places equal it; where something arbitrary is written, it may
//!   change others as well.
//!
//! Why TRUE carries over: take an execution to an error. Its last block reads maps at indices that are terms over the
//! values of variables at the block's start. Let the rigid variables have these values (those that the block does not name: any).
//! They never change, so one may choose them before the execution begins. Follow the execution: by induction, every cell
//! has the value that its map has at its place; in an inner block, what is read at one of the places is that value, and what
//! is read elsewhere can be chosen as it was; in the last block everything is read at places, and the
//! variables equal the rigid ones because of the choice. So the error is reached here too. The same argument allows assuming
//! about rigid variables, at the start, what one of the last blocks demands of its variables and what is known of them where
//! it begins. Violations do not carry over: an execution here may read anything elsewhere.
//!
//! What is known of a block's variables is what intervals say. It is not taken on trust: the lift tells it, and a proof counts
//! only if it was shown to be inductive ([`Lift::presumed`]).
//!
//! Three things keep the program simple: variables that are set once become constants or rigid themselves ([`fixed`]),
//! indices are compared by what they are made of ([`separate`]), and products of what is rigid are variables ([`hidden`]).
//!
//! Invariants: no map is left; locations between which blocks go stay, with their kinds.

mod fixed;
mod hidden;
mod separate;

use crate::elements::Elements;
use crate::{Block, Guarded, Lift, Passed, summarise};
use analysis::live::Live;
use engine::{Invariant, Proof, Trace};
use fixed::{fix, with_constants};
use hidden::Hidden;
use ir::{Cfa, Edge, EdgeId, LocId, Location, LocationKind, Op, ProcId, Program, Variable};
use rustc_hash::{FxHashMap, FxHashSet};
use separate::{Ranges, ranges, same};
use std::cell::RefCell;
use std::fmt;
use std::sync::Arc;
use term::build::{and, bv_signed, bv_ule, eq, ite, or, truth};
use term::free::{Free, variables};
use term::subst::substitute;
use term::visit::{bound, post_order};
use term::{Op as TermOp, Sort, SortKind, Term};

/// Programs that need more places than this are left alone.
const MOST_PLACES: usize = 8;
/// An index of more variables than this is a rigid variable as a whole.
const MOST_LEAVES: usize = 4;

/// Why a program cannot go through.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NotMorphed {
    Calls,
    NoMaps,
    /// Maps are not only read and written.
    Whole,
    TooManyPlaces,
}

impl fmt::Display for NotMorphed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NotMorphed::Calls => "the program has calls",
            NotMorphed::NoMaps => "no computed element of a map matters",
            NotMorphed::Whole => "maps are more than read and written",
            NotMorphed::TooManyPlaces => "too many elements of maps matter at once",
        })
    }
}

/// The program with cells instead of maps. It wants one procedure without calls.
pub fn cell_morphing(program: &Program) -> Result<Passed, NotMorphed> {
    let is_call = |(_, edge): (EdgeId, &Edge)| matches!(edge.op, Op::Call { .. } | Op::Spawn { .. });
    if program.procedure(program.entry).body.iter().flat_map(Cfa::edges).any(is_call) {
        return Err(NotMorphed::Calls);
    }
    let program = &with_constants(program);
    let procedure = program.procedure(program.entry);
    let Ok(cfa) = &procedure.body else { return Err(NotMorphed::Calls) };
    let live = Live::new(program, program.entry);
    let summary = summarise(cfa);
    let ranges = analysis::intervals::ranges(program, program.entry, &summary.locations, &live);
    let known = |block: &Block| ranges.get(&block.from).map_or(&[][..], Vec::as_slice);
    let mut blocks = leading_to_errors(cfa, &summary.blocks, &live);
    check_terms(program, &blocks)?;
    fix(&mut blocks, cfa.entry(), &live, is_map);

    let mut morphing = Morphing::new(program, &blocks);
    let mut facts = Vec::new();
    let mut lasts = Vec::new();
    for (block, op) in blocks.iter().filter(|(block, _)| is_bad(cfa, block.to)) {
        let (last, fact) = morphing.last(op, known(block));
        lasts.push((block, last));
        facts.push(fact);
    }
    if morphing.rigid.is_empty() {
        return Err(NotMorphed::NoMaps);
    }
    if morphing.places.len() > MOST_PLACES {
        return Err(NotMorphed::TooManyPlaces);
    }
    let inners = blocks.iter().filter(|(block, _)| !is_bad(cfa, block.to));
    let mut inners: Vec<(&Block, Morphed)> =
        inners.map(|(block, op)| (block, morphing.inner(op, known(block)))).collect();
    let mut hidden = Hidden::new(|variable| morphing.is_rigid(variable));
    inners.iter_mut().chain(&mut lasts).for_each(|(_, op)| op.hide(&mut hidden));
    let facts = hidden.hide(and([or(facts), morphing.within()]));
    let named = hidden.variables();
    let body = rebuilt(cfa, &summary.locations, facts, inners.iter().chain(&lasts));

    let mut small = program.clone();
    let mut own = procedure.clone();
    own.body = Ok(body);
    small.globals = program.globals.iter().flat_map(|variable| morphing.declared(variable)).collect();
    small.globals.extend(morphing.rigid.iter().chain(&named).map(|rigid| internal(*rigid)));
    own.locals = procedure.locals.iter().flat_map(|variable| morphing.declared(variable)).collect();
    let inputs: FxHashSet<Term> = inners.iter().chain(&lasts).flat_map(|(_, op)| op.inputs.iter().copied()).collect();
    let mut inputs: Vec<Term> = inputs.into_iter().collect();
    inputs.sort_unstable();
    own.locals.extend(inputs.into_iter().map(internal));
    small.procedures = vec![own];
    small.entry = ProcId(0);
    let all = |location: &LocId| and(ranges.get(location).into_iter().flatten().copied());
    let invariant = |l: &LocId| Invariant { procedure: program.entry, location: *l, formula: all(l) };
    let presumed = summary.locations.iter().map(invariant).collect();
    Ok(Passed { program: small, lift: Arc::new(Forgotten { program: program.clone(), presumed }) })
}

fn internal(variable: Term) -> Variable {
    Variable::internal(variable.name().expect("it is made as a variable"), variable.sort())
}

/// The index and the element of a map that can be morphed.
fn map(sort: Sort) -> Option<(Sort, Sort)> {
    match sort.kind() {
        SortKind::Array(index, element) if !matches!(element.kind(), SortKind::Array(..) | SortKind::Memory(_)) => {
            Some((*index, *element))
        }
        _ => None,
    }
}

fn is_map(sort: Sort) -> bool {
    map(sort).is_some()
}

fn is_bad(cfa: &Cfa, location: LocId) -> bool {
    matches!(cfa.location(location).kind, LocationKind::Error(_) | LocationKind::Unsupported(_))
}

/// The blocks that an execution to an error may go through, with what they do.
fn leading_to_errors(cfa: &Cfa, blocks: &[Block], live: &Live) -> Vec<(Block, Guarded)> {
    let mut leads: FxHashSet<LocId> = cfa.locations().map(|(id, _)| id).filter(|id| is_bad(cfa, *id)).collect();
    loop {
        let more: Vec<LocId> =
            blocks.iter().filter(|b| leads.contains(&b.to) && !leads.contains(&b.from)).map(|b| b.from).collect();
        if more.is_empty() {
            break;
        }
        leads.extend(more);
    }
    let leading = blocks.iter().filter(|block| leads.contains(&block.to));
    let operation = |block: &Block| {
        let mut op = Guarded::of_block(cfa, block)?;
        op.restrict(|variable| live.at(block.to, variable));
        Some((block.clone(), op))
    };
    leading.filter_map(operation).collect()
}

/// Maps are only read, stored to, chosen between, copied and made arbitrary, and nothing is quantified.
fn check_terms(program: &Program, blocks: &[(Block, Guarded)]) -> Result<(), NotMorphed> {
    let own = program.procedure(program.entry);
    let interface = own.parameters.iter().chain(&own.results);
    let declared = program.globals.iter().chain(&own.locals);
    let is_other = |sort: Sort| matches!(sort.kind(), SortKind::Array(..) | SortKind::Memory(_)) && !is_map(sort);
    if interface.clone().any(|variable| is_map(variable.sort()))
        || interface.chain(declared).any(|variable| is_other(variable.sort()))
    {
        return Err(NotMorphed::Whole);
    }
    let operations = blocks.iter().flat_map(|(_, op)| op.conjuncts().iter().chain(op.update().values()));
    for term in post_order(operations.chain(&program.axioms).copied()) {
        let is_read = match (term.op(), term.args()) {
            (TermOp::Select, [_, place]) => !is_map(place.sort()),
            (TermOp::Store, [_, place, value]) => !is_map(place.sort()) && !is_map(value.sort()),
            (TermOp::Ite, [condition, ..]) => !is_map(condition.sort()),
            (_, parts) => parts.iter().all(|part| !is_map(part.sort())),
        };
        if !is_read || !bound(term).is_empty() {
            return Err(NotMorphed::Whole);
        }
    }
    Ok(())
}

/// The places, and what they are made of.
struct Morphing {
    places: Vec<Term>,
    /// The rigid variables that stand for variables of last blocks.
    rigid: Vec<Term>,
    /// Of those, the ranges: in each last block that names them, they are within.
    ranges: FxHashMap<Term, Option<(i128, i128)>>,
    /// The program's variables that are not maps, and those among them that blocks change.
    scalars: FxHashSet<Term>,
    changed: FxHashSet<Term>,
}

/// What a block does, without maps.
struct Morphed {
    inputs: Vec<Term>,
    guard: Term,
    update: Vec<(Term, Term)>,
}

impl Morphed {
    fn hide<R: Fn(Term) -> bool>(&mut self, hidden: &mut Hidden<R>) {
        self.guard = hidden.hide(self.guard);
        self.update.iter_mut().for_each(|(_, value)| *value = hidden.hide(*value));
    }
}

impl Morphing {
    fn new(program: &Program, blocks: &[(Block, Guarded)]) -> Morphing {
        let own = program.procedure(program.entry);
        let declared = program.globals.iter().chain(&own.parameters).chain(&own.results).chain(&own.locals);
        Morphing {
            places: Vec::new(),
            rigid: Vec::new(),
            ranges: FxHashMap::default(),
            scalars: declared.map(|variable| variable.term).filter(|variable| !is_map(variable.sort())).collect(),
            changed: blocks.iter().flat_map(|(_, op)| op.update().keys().copied()).collect(),
        }
    }

    /// Whether no block changes or chooses a variable.
    fn is_rigid(&self, variable: Term) -> bool {
        self.rigid.contains(&variable) || self.scalars.contains(&variable) && !self.changed.contains(&variable)
    }

    /// What the ranges of rigid variables say. A last block that does not name a variable lets it have any value, so one
    /// within its range.
    fn within(&self) -> Term {
        let ranges =
            self.rigid.iter().filter_map(|rigid| Some((*rigid, rigid.sort().bv_width()?, self.ranges[rigid]?)));
        let within = |(rigid, width, (low, high)): (Term, u32, (i128, i128))| {
            [bv_ule(bv_signed(width, low), rigid), bv_ule(rigid, bv_signed(width, high))]
        };
        and(ranges.flat_map(within))
    }

    /// The places of a map, with their cells.
    fn cells(&self, map_: Term) -> Vec<(Term, Term)> {
        let Some((index, element)) = map(map_.sort()) else { return Vec::new() };
        let name = map_.name().expect("a map is a variable");
        let places = self.places.iter().enumerate().filter(|(_, place)| place.sort() == index);
        places.map(|(n, place)| (*place, Term::var(format!("{name}[{n}]").as_str(), element))).collect()
    }

    fn declared(&self, variable: &Variable) -> Vec<Variable> {
        if !is_map(variable.sort()) {
            return vec![variable.clone()];
        }
        self.cells(variable.term).into_iter().map(|(_, cell)| internal(cell)).collect()
    }

    /// A last block, and what is known of rigid variables if it is the last one.
    fn last(&mut self, op: &Guarded, known: &[Term]) -> (Morphed, Term) {
        let mut leaves: Vec<(Term, Term)> = Vec::new();
        let mut inputs = Inputs::of(op);
        let base = |map: Term, place| {
            let place = self.place(place, &mut leaves);
            let (_, cell) = self.cells(map).into_iter().find(|(known, _)| *known == place).expect("it was just added");
            inputs.cell(map, cell)
        };
        let own = ranges(known.iter().chain(op.conjuncts()));
        let mut elements =
            Elements::new(|map: Term| is_map(map.sort()), base, |at, place, value| (same(at, place, &own), value));
        let guard: Vec<Term> = op.conjuncts().iter().map(|conjunct| elements.rewrite(*conjunct)).collect();
        let rigid = |part: Term| leaves.iter().find(|(leaf, _)| *leaf == part).map(|(_, rigid)| *rigid);
        let mut guard: Vec<Term> = guard.into_iter().map(|conjunct| substitute(conjunct, rigid)).collect();
        guard.extend(leaves.iter().map(|(leaf, rigid)| eq(*leaf, *rigid)));
        for (leaf, rigid) in &leaves {
            let range = own.get(leaf).copied();
            let joint = |known: Option<(i128, i128)>| {
                known.zip(range).map(|(known, range)| (known.0.min(range.0), known.1.max(range.1)))
            };
            self.ranges.entry(*rigid).and_modify(|known| *known = joint(*known)).or_insert(range);
        }
        let rigid: FxHashMap<Term, Term> = leaves.into_iter().collect();
        let mut free = Free::new();
        let is_rigid = |v: &Term| rigid.contains_key(v) || self.is_rigid(*v);
        let says = known.iter().chain(op.conjuncts()).filter(|fact| {
            let about = free.of(**fact);
            about.iter().any(|variable| rigid.contains_key(variable)) && about.iter().all(is_rigid)
        });
        let fact = and(says.map(|fact| substitute(*fact, |variable| rigid.get(&variable).copied())));
        (inputs.finish(and(guard), Vec::new()), fact)
    }

    /// The place for an index of a last block; `leaves` are those of its parts that have rigid variables.
    fn place(&mut self, index: Term, leaves: &mut Vec<(Term, Term)>) -> Term {
        let mut own = variables([index]);
        let are_scalars = own.iter().all(|variable| self.scalars.contains(variable));
        own.retain(|variable| self.changed.contains(variable));
        let by_variables = are_scalars && own.len() <= MOST_LEAVES;
        if !by_variables {
            own = vec![index];
        }
        for leaf in &own {
            if !leaves.iter().any(|(known, _)| known == leaf) {
                let before = leaves.iter().filter(|(known, _)| known.sort() == leaf.sort()).count();
                let rigid = Term::var(format!("$place{before}:{}", leaf.sort()).as_str(), leaf.sort());
                if !self.rigid.contains(&rigid) {
                    self.rigid.push(rigid);
                }
                leaves.push((*leaf, rigid));
            }
        }
        let rigid = |part: Term| leaves.iter().find(|(leaf, _)| *leaf == part).map(|(_, rigid)| *rigid);
        let place = if by_variables { substitute(index, rigid) } else { rigid(index).expect("it was just added") };
        if !self.places.contains(&place) {
            self.places.push(place);
        }
        place
    }

    /// A term, given that a formula holds: what equals something rigid is replaced by it.
    fn given(&self, formula: Term, term: Term) -> Term {
        let conjuncts = if *formula.op() == TermOp::And { formula.args() } else { &[formula][..] };
        let mut known: FxHashMap<Term, Term> = FxHashMap::default();
        for conjunct in conjuncts {
            let (TermOp::Eq, &[a, b]) = (conjunct.op(), conjunct.args()) else { continue };
            for (variable, value) in [(a, b), (b, a)] {
                let is_rigid = variables([value]).iter().all(|inside| !self.changed.contains(inside));
                if self.changed.contains(&variable) && is_rigid {
                    known.insert(variable, value);
                }
            }
        }
        substitute(term, |variable| known.get(&variable).copied())
    }

    fn inner(&self, op: &Guarded, known: &[Term]) -> Morphed {
        let mut within: Ranges = ranges(known.iter().chain(op.conjuncts()));
        within.extend(self.ranges.iter().filter_map(|(rigid, range)| Some((*rigid, (*range)?))));
        let inputs = RefCell::new(Inputs::of(op));
        let base = |map: Term, index| {
            let mut inputs = inputs.borrow_mut();
            let cells = self.cells(map);
            if let Some((_, cell)) = cells.iter().find(|(place, _)| *place == index) {
                return inputs.cell(map, *cell);
            }
            let (_, element) = self::map(map.sort()).expect("only maps are read");
            let elsewhere = inputs.add(element);
            let mut cell_or =
                |rest, (place, cell): &(Term, Term)| ite(same(index, *place, &within), inputs.cell(map, *cell), rest);
            cells.iter().rfold(elsewhere, &mut cell_or)
        };
        let stored = |at, place, value| {
            let here = same(at, place, &within);
            // Where something arbitrary is stored, it matters little whether the element is that of a place, and the question may be hard.
            if inputs.borrow().is_chosen(value) && is_product(here) {
                return (inputs.borrow_mut().add(Sort::bool()), value);
            }
            (here, self.given(here, value))
        };
        let mut elements = Elements::new(|map: Term| is_map(map.sort()), base, stored);
        let guard: Vec<Term> = op.conjuncts().iter().map(|conjunct| elements.rewrite(*conjunct)).collect();
        let mut update = Vec::new();
        for (variable, value) in op.update() {
            if is_map(variable.sort()) {
                let cells = self.cells(*variable);
                update.extend(cells.into_iter().map(|(place, cell)| (cell, elements.element(*value, place))));
            } else {
                update.push((*variable, elements.rewrite(*value)));
            }
        }
        update.retain(|(variable, value)| variable != value);
        drop(elements);
        inputs.into_inner().finish(and(guard), update)
    }
}

/// What a block chooses. Inputs have names by their numbers, so blocks share them.
struct Inputs {
    /// By the variable in the block's operation, or by the cell of a map that is an input.
    renamed: FxHashMap<Term, Term>,
    /// Maps that are chosen as a whole.
    maps: FxHashSet<Term>,
    count: usize,
}

impl Inputs {
    fn of(op: &Guarded) -> Inputs {
        let mut inputs = Inputs { renamed: FxHashMap::default(), maps: FxHashSet::default(), count: 0 };
        for input in op.inputs() {
            if is_map(input.sort()) {
                inputs.maps.insert(*input);
            } else {
                let own = inputs.add(input.sort());
                inputs.renamed.insert(*input, own);
            }
        }
        inputs
    }

    /// Whether a block chooses a value freely.
    fn is_chosen(&self, value: Term) -> bool {
        self.renamed.contains_key(&value)
    }

    fn add(&mut self, sort: Sort) -> Term {
        self.count += 1;
        Term::var(format!("$input{}:{sort}", self.count).as_str(), sort)
    }

    /// A cell of a map, which is an input if the map is one.
    fn cell(&mut self, map: Term, cell: Term) -> Term {
        if self.maps.contains(&map) && !self.renamed.contains_key(&cell) {
            let own = self.add(cell.sort());
            self.renamed.insert(cell, own);
        }
        cell
    }

    fn finish(self, guard: Term, update: Vec<(Term, Term)>) -> Morphed {
        let own = |term: Term| substitute(term, |variable| self.renamed.get(&variable).copied());
        let guard = own(guard);
        let update: Vec<(Term, Term)> = update.into_iter().map(|(variable, value)| (variable, own(value))).collect();
        let read = variables(update.iter().map(|(_, value)| *value).chain([guard]));
        let is_input = |variable: &Term| variable.name().is_some_and(|name| name.as_str().starts_with("$input"));
        Morphed { inputs: read.into_iter().filter(is_input).collect(), guard, update }
    }
}

/// Whether a formula computes with products.
fn is_product(formula: Term) -> bool {
    post_order([formula]).iter().any(|part| *part.op() == TermOp::BvMul)
}

/// The automaton of the morphed blocks.
fn rebuilt<'a>(
    cfa: &Cfa,
    locations: &[LocId],
    facts: Term,
    blocks: impl Iterator<Item = &'a (&'a Block, Morphed)>,
) -> Cfa {
    let numbers: FxHashMap<LocId, LocId> = locations.iter().copied().zip((0..).map(LocId)).collect();
    let mut built: Vec<Location> = locations.iter().map(|location| cfa.location(*location).clone()).collect();
    let mut edges = Vec::new();
    let mut way = |from: LocId, to: Option<LocId>, ops: Vec<Op>| {
        let mut here = from;
        let last = ops.len() - 1;
        for (number, op) in ops.into_iter().enumerate() {
            let next = to.filter(|_| number == last).unwrap_or_else(|| {
                built.push(Location { kind: LocationKind::Plain, label: None, place: None });
                LocId(built.len() as u32 - 1)
            });
            edges.push(Edge { from: here, to: next, op, place: None });
            here = next;
        }
        here
    };
    let entry = numbers[&cfa.entry()];
    let start = way(entry, None, vec![Op::Assume(facts)]);
    for (block, Morphed { inputs, guard, update }) in blocks {
        let mut ops = Vec::new();
        if !inputs.is_empty() {
            ops.push(Op::Havoc(inputs.clone()));
        }
        if *guard != truth() {
            ops.push(Op::Assume(*guard));
        }
        if !update.is_empty() || ops.is_empty() {
            ops.push(Op::Assign(update.clone()));
        }
        let from = numbers[&block.from];
        way(if from == entry { start } else { from }, Some(numbers[&block.to]), ops);
    }
    Cfa::new(built, edges, entry, numbers[&cfa.exit()])
}

/// There is no way back: executions here need not be any of the program before, and a proof speaks of cells.
struct Forgotten {
    program: Program,
    /// What intervals told of it.
    presumed: Vec<Invariant>,
}

impl Lift for Forgotten {
    fn trace(&self, trace: Trace) -> Trace {
        Trace { initial: Vec::new(), steps: Vec::new(), ..trace }
    }

    fn proof(&self, _: Proof) -> Option<Proof> {
        None
    }

    fn edge(&self, _: ProcId, _: EdgeId) -> Option<(ProcId, EdgeId)> {
        None
    }

    fn presumed(&self) -> Vec<(&Program, &[Invariant])> {
        vec![(&self.program, &self.presumed)]
    }
}
