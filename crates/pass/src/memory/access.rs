//! What a program does with its memory.

use super::index::{Address, Touched};
use crate::recursive;
use analysis::points_to::{Foreign, Low, Object, PointsTo, Targets};
use ir::memory::{self, ALIVE, BASE, DYNAMIC, NEXT, SIZE};
use ir::{Cfa, EdgeId, LocId, ObjectKind, Op, ProcId, Program, Variable};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use term::build::falsehood;
use term::visit::post_order;
use term::{Op as TermOp, Sort, Term};

/// A load or store of a value.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Access {
    pub targets: Targets,
    /// Where the pointer that the address is computed from points to in each target, and what is added.
    pub bases: Vec<Low>,
    pub index: Vec<Low>,
    pub sort: Sort,
}

impl Access {
    /// What is accessed in each target.
    pub fn touched(&self) -> impl Iterator<Item = (Object, Touched)> {
        let bytes = u64::from(self.sort.bytes().unwrap_or(1));
        self.targets.iter().zip(&self.bases).map(move |((object, offset), base)| {
            (*object, Touched { offset: *offset, base: *base, index: self.index.clone(), bytes })
        })
    }
}

/// Bytes that are copied from one place to another.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Copied {
    pub to: (Object, Low),
    pub from: (Object, Low),
    pub length: u64,
}

/// A place that allocates.
#[derive(Clone, Debug)]
pub struct Site {
    /// The variable that takes the identity.
    pub variable: Term,
    /// Whether there is never more than one live object from here.
    pub is_single: bool,
    /// Whether the allocation may happen again, so that the cells must become arbitrary.
    pub repeats: bool,
    /// How large its objects are, if that is always the same.
    pub size: Option<Term>,
}

/// A copy or fill at one of more objects than this is not followed.
pub const MOST_ENDS: usize = 4;

/// Everything that the layout of memory depends on.
#[derive(Debug)]
pub struct Accesses {
    foreign: Foreign,
    pub accesses: BTreeSet<Access>,
    pub copies: BTreeSet<Copied>,
    pub sites: FxHashMap<Object, Site>,
    /// How many bytes objects have, where that is always the same number.
    pub sizes: FxHashMap<Object, u64>,
    /// Variables that have the same value wherever they are read: one edge assigns them, and it is taken once.
    stable: FxHashSet<Term>,
}

impl Accesses {
    pub fn collect(program: &Program, points_to: &PointsTo, foreign: Foreign, slots: &Slots) -> Accesses {
        let mut found = Accesses {
            foreign,
            accesses: BTreeSet::new(),
            copies: BTreeSet::new(),
            sites: FxHashMap::default(),
            sizes: sizes(program),
            stable: stable(program),
        };
        // Where lives or addresses count, objects that live one after the other are not the same.
        let tells_apart = |variable: &Variable| matches!(variable.name().as_str(), ALIVE | BASE);
        let alike = !program.globals.iter().any(tells_apart);
        let one_at_a_time = one_at_a_time(program);
        let once = runs_once(program);
        for (id, procedure) in program.procedures() {
            let Ok(cfa) = &procedure.body else { continue };
            let runs = if Some(id) == once {
                Runs::Once
            } else if one_at_a_time.contains(&id) {
                Runs::Again
            } else {
                Runs::AtOnce
            };
            found.sites(id, cfa, runs, alike, slots);
        }
        for edge in program.edges() {
            edge.op.reads().into_iter().for_each(|term| found.term(term, points_to));
        }
        found
    }

    fn term(&mut self, term: Term, points_to: &PointsTo) {
        for part in post_order([term]) {
            match (part.op(), part.args()) {
                (TermOp::Load(sort), [_, at]) => self.access(*at, *sort, points_to),
                (TermOp::MemStore, [_, at, value]) => self.access(*at, value.sort(), points_to),
                (TermOp::MemCopy, [_, to, from, length]) => {
                    self.copy(&points_to.targets(*to), &points_to.targets(*from), *length);
                }
                _ => {}
            }
        }
    }

    fn access(&mut self, at: Term, sort: Sort, points_to: &PointsTo) {
        let targets = with_cells(points_to.targets(at), self.foreign);
        let address = Address::new(at);
        let bases = targets.keys().map(|object| address.base_in(*object, points_to)).collect();
        let mut index: Vec<Low> = address.index.iter().map(|part| points_to.offsets(*part)).collect();
        index.sort_unstable();
        self.accesses.insert(Access { targets, bases, index, sort });
    }

    fn copy(&mut self, to: &Targets, from: &Targets, length: Term) {
        let (to, from) = (with_cells(to.clone(), self.foreign), with_cells(from.clone(), self.foreign));
        // Otherwise what is copied is not known, and what is there becomes arbitrary.
        if to.len().max(from.len()) > MOST_ENDS {
            return;
        }
        for to in to {
            let Some(length) = number(length).or_else(|| self.room(to)) else { continue };
            self.copies.extend(from.iter().map(|(object, start)| Copied { to, from: (*object, *start), length }));
        }
    }

    /// How many bytes there are at most from a place to the end of its object.
    fn room(&self, (object, start): (Object, Low)) -> Option<u64> {
        Some(self.sizes.get(&object)?.saturating_sub(start.number().unwrap_or(0)))
    }

    /// The places that allocate: edges that take `$next`.
    fn sites(&mut self, procedure: ProcId, cfa: &Cfa, runs: Runs, alike: bool, slots: &Slots) {
        let cyclic = on_cycles(cfa);
        let mut automatic: FxHashSet<Term> = FxHashSet::default();
        for (_, edge) in cfa.edges() {
            let told = stored(&edge.op).filter(|(map, _, entry)| *map == DYNAMIC && *entry == falsehood());
            automatic.extend(told.map(|(_, identity, _)| identity));
        }
        let sizes = sizes_by_identity(cfa);
        for (id, edge) in cfa.edges() {
            let Op::Assign(pairs) = &edge.op else { continue };
            for (variable, value) in pairs {
                if value.name().is_some_and(|name| name.as_str() == NEXT) {
                    let repeats = runs != Runs::Once || cyclic.contains(&edge.from);
                    let one_at_a_time = alike && automatic.contains(variable) && memory::is_scoped(*variable);
                    let is_once = slots.once.contains(&(procedure, id));
                    let repeats = repeats && !is_once;
                    let is_single = is_once || runs != Runs::AtOnce && (!repeats || one_at_a_time);
                    let size = sizes.get(variable).copied().flatten().filter(|size| self.is_stable(*size));
                    let object = Object::Site(procedure, id);
                    let known = slots.bytes.get(&(procedure, id)).copied().or_else(|| size.and_then(number));
                    self.sizes.extend(known.map(|size| (object, size)));
                    self.sites.insert(object, Site { variable: *variable, is_single, repeats, size });
                }
            }
        }
    }

    pub fn foreign(&self) -> Foreign {
        self.foreign
    }

    /// Whether a term has the same value wherever it is read.
    fn is_stable(&self, term: Term) -> bool {
        term::free::variables([term]).iter().all(|variable| self.stable.contains(variable))
    }

    /// Whether an abstract object is never more than one object at a time.
    pub fn is_single(&self, object: Object) -> bool {
        match object {
            Object::Static(_) => true,
            Object::Site(..) => self.sites.get(&object).is_some_and(|site| site.is_single),
            // What a variable that was never set points to is one object, whatever value that is.
            Object::External(group) => self.foreign == Foreign::Any && group != 0,
        }
    }
}

/// What is known of edges that allocate.
#[derive(Default, Debug)]
pub struct Slots {
    /// Those that are taken at most once in an execution.
    pub once: FxHashSet<(ProcId, EdgeId)>,
    /// How many bytes their objects have at most.
    pub bytes: FxHashMap<(ProcId, EdgeId), u64>,
}

/// What an operation says of objects: the names of maps, with an identity and what is stored for it.
pub fn stored(op: &Op) -> impl Iterator<Item = (&'static str, Term, Term)> {
    let pairs = if let Op::Assign(pairs) = op { &pairs[..] } else { &[] };
    pairs.iter().filter_map(|(variable, value)| match (value.op(), value.args()) {
        (TermOp::Store, [_, identity, entry]) => Some((variable.name()?.as_str(), *identity, *entry)),
        _ => None,
    })
}

/// The sizes that objects are given, by the variables with their identities; nothing for one that is given several.
pub fn sizes_by_identity(cfa: &Cfa) -> FxHashMap<Term, Option<Term>> {
    let mut sizes: FxHashMap<Term, Option<Term>> = FxHashMap::default();
    for (_, edge) in cfa.edges() {
        for (_, identity, entry) in stored(&edge.op).filter(|(map, ..)| *map == SIZE) {
            let known = sizes.entry(identity).or_insert(Some(entry));
            *known = known.filter(|size| *size == entry);
        }
    }
    sizes
}

/// How often a procedure runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Runs {
    Once,
    /// Again, but never twice at the same time.
    Again,
    /// Several activations may be there at once.
    AtOnce,
}

/// The entry, unless somebody calls or starts it.
fn runs_once(program: &Program) -> Option<ProcId> {
    let mut edges = program.procedures.iter().flat_map(|procedure| &procedure.body).flat_map(Cfa::edges);
    let is_entry =
        |op: &Op| matches!(op, Op::Call { procedure, .. } | Op::Spawn { procedure, .. } if *procedure == program.entry);
    (!edges.any(|(_, edge)| is_entry(&edge.op))).then_some(program.entry)
}

/// The procedures that never run twice at the same time: those that are not recursive, where there are no threads.
fn one_at_a_time(program: &Program) -> FxHashSet<ProcId> {
    let mut edges = program.procedures.iter().flat_map(|procedure| &procedure.body).flat_map(Cfa::edges);
    if edges.any(|(_, edge)| matches!(edge.op, Op::Spawn { .. })) {
        return FxHashSet::default();
    }
    let recursive = recursive(program);
    program.procedures().map(|(id, _)| id).filter(|id| !recursive.contains(id)).collect()
}

/// The targets that may have cells: external objects that are not told apart have none if pointers to them may point anywhere, nor
/// have devices.
pub fn with_cells(mut targets: Targets, foreign: Foreign) -> Targets {
    if foreign == Foreign::Any {
        targets.retain(|object, _| !matches!(object, Object::External(0) | Object::Static(0)));
    }
    targets
}

/// The number that a term is, if it is a constant.
pub fn number(term: Term) -> Option<u64> {
    term.value()?.as_bv().and_then(|number| u64::try_from(number.unsigned()).ok())
}

/// The offset of a target reduced to what a class with this stride distinguishes.
pub fn residue(offset: Low, stride: u64) -> u64 {
    offset.known_to(stride).bits()
}

/// The variables that are assigned by one edge only, which is taken once: it is the entry's and lies on no cycle.
fn stable(program: &Program) -> FxHashSet<Term> {
    let runs_once = runs_once(program);
    let (mut once, mut often) = (FxHashSet::default(), FxHashSet::default());
    for (id, procedure) in program.procedures() {
        let Ok(cfa) = &procedure.body else { continue };
        let cyclic = on_cycles(cfa);
        for (_, edge) in cfa.edges() {
            let changed: Vec<Term> = match &edge.op {
                Op::Assign(pairs) => pairs.iter().map(|(variable, _)| *variable).collect(),
                Op::Havoc(variables) | Op::Call { results: variables, .. } => variables.clone(),
                Op::Spawn { thread, .. } => vec![*thread],
                Op::Assume(_) | Op::AtomicBegin | Op::AtomicEnd => Vec::new(),
            };
            for variable in changed {
                let again = Some(id) != runs_once || cyclic.contains(&edge.from) || !once.insert(variable);
                if again {
                    often.insert(variable);
                }
            }
        }
    }
    once.retain(|variable| !often.contains(variable));
    once
}

/// The locations that lie on a cycle: those of strongly connected parts with an edge inside.
pub fn on_cycles(cfa: &Cfa) -> FxHashSet<LocId> {
    let mut found = FxHashSet::default();
    for component in analysis::component::components(cfa) {
        let inside: FxHashSet<LocId> = component.iter().copied().collect();
        let has_edge = |l: &LocId| cfa.outgoing(*l).iter().any(|e| inside.contains(&cfa.edge(*e).to));
        if component.iter().any(has_edge) {
            found.extend(component);
        }
    }
    found
}

/// The sizes of static objects.
fn sizes(program: &Program) -> FxHashMap<Object, u64> {
    let data = program.objects.iter().enumerate().filter(|(_, o)| !matches!(o.kind, ObjectKind::Function(_)));
    data.map(|(i, object)| (Object::Static(i as u32 + 1), object.size)).collect()
}
