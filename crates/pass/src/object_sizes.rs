//! What maps tell of objects, as constants: the size of a static object, or of one that a variable of the program is, is the size
//! that the program gives it; that a static object lives, and is not dynamic, is never changed where nothing can be freed.
//!
//! Where a variable is seen to get pointers to a few static objects, what maps tell of its object is a choice between what they tell of
//! these, and otherwise what it was: the choice is exact whatever the variable points to, so it need not be found out exactly.
//!
//! It follows from the law that identities are never used twice ([`ir::memory`]): no allocation gives the identity of a static object,
//! or that of another object that was allocated. So what is said of identities where one is given is assumed, too: it
//! is beyond the static objects and no external one. An analysis of machine integers alone would have to think of the identity that wraps
//! around.
//!
//! Invariants: executions stay what they are. Calls, memory and properties stay as they are, so this suits programs in any form; the lift is
//! for traces only.

use crate::{EdgeMap, Passed};
use ir::memory::{FIRST_EXTERNAL, alive, dynamic, next, size};
use ir::{Cfa, Edge, EdgeId, LocId, Location, LocationKind, Op, ProcId, Program};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::sync::Arc;
use term::build::{and, bv, bv_add, bv_ult, eq, ite, make};
use term::visit::{bottom_up, post_order};
use term::{OBJECT_WIDTH, Op as TermOp, SortKind, Term, Value};

/// Puts constants in the place of sizes.
pub fn object_sizes(program: &Program) -> Passed {
    let sizes = Sizes::of(program);
    let mut simpler = program.clone();
    let mut origins = Vec::new();
    for (id, procedure) in program.procedures() {
        let Ok(body) = &procedure.body else {
            origins.push(Vec::new());
            continue;
        };
        let unset = sizes.unset(body);
        let (body, origin) = rewritten(program, id, body, &sizes, &unset);
        simpler.procedures[id.0 as usize].body = Ok(body);
        origins.push(origin);
    }
    Passed { program: simpler, lift: Arc::new(EdgeMap { origins }) }
}

/// The body with constants, and with what is known of identities that it gives.
fn rewritten(
    program: &Program,
    id: ProcId,
    body: &Cfa,
    sizes: &Sizes,
    unset: &FxHashSet<(Term, Term)>,
) -> (Cfa, Vec<Option<(ProcId, EdgeId)>>) {
    let given = given(program).is_some();
    let number = |value: u32| bv(OBJECT_WIDTH, value.into());
    let fresh = and([bv_ult(number(program.objects.len() as u32), next()), bv_ult(next(), number(FIRST_EXTERNAL))]);
    let (mut locations, old, entry, exit) = body.clone().into_parts();
    let (mut edges, mut origin) = (Vec::new(), Vec::new());
    let mut memo = FxHashMap::default();
    for (edge, (old_id, _)) in old.into_iter().zip(body.edges()) {
        let mut rewrite = |term: Term| sizes.rewrite(term, unset, &mut memo);
        // What is written is no size that is read.
        let op = match &edge.op {
            Op::Assign(pairs) => {
                Op::Assign(pairs.iter().map(|(variable, value)| (*variable, rewrite(*value))).collect())
            }
            Op::Assume(condition) => Op::Assume(rewrite(*condition)),
            Op::Call { procedure, arguments, results } => Op::Call {
                procedure: *procedure,
                arguments: arguments.iter().map(|argument| rewrite(*argument)).collect(),
                results: results.clone(),
            },
            other => other.clone(),
        };
        let gives = given && matches!(&edge.op, Op::Assign(pairs) if pairs.iter().any(|(_, value)| *value == next()));
        let mut from = edge.from;
        if gives {
            locations.push(Location { kind: LocationKind::Plain, label: None, place: edge.place });
            let between = LocId(locations.len() as u32 - 1);
            edges.push(Edge { from, to: between, op: Op::Assume(fresh), place: edge.place });
            origin.push(None);
            from = between;
        }
        edges.push(Edge { from, op, ..edge });
        origin.push(Some((id, old_id)));
    }
    (Cfa::new(locations, edges, entry, exit), origin)
}

/// What maps have at identities wherever it is read: at constants, and at variables that hold identities.
#[derive(Default)]
struct Sizes {
    known: FxHashMap<(Term, Term), Term>,
    /// The static objects to which pointer variables are seen to point, in order.
    targets: FxHashMap<Term, BTreeSet<u32>>,
}

impl Sizes {
    fn of(program: &Program) -> Sizes {
        let Some(given) = given(program) else { return Sizes::default() };
        let maps = [size(program.data_model), alive(), dynamic()];
        let known = maps.into_iter().filter_map(|map| Some((map, told(program, map, &given)?)));
        let entries = known.flat_map(|(map, known)| known.into_iter().map(move |(i, value)| ((map, i), value)));
        Sizes { known: entries.collect(), targets: targets(program) }
    }

    /// The variables of which a procedure may read the size before it gives them their object and its size.
    fn unset(&self, cfa: &Cfa) -> FxHashSet<(Term, Term)> {
        let sets = |edge: &Edge, (map, identity): (Term, Term)| match &edge.op {
            Op::Assign(pairs) => pairs.iter().any(|(variable, value)| {
                *variable == map && value.op() == &TermOp::Store && value.args()[1] == identity
            }),
            _ => false,
        };
        let reads = |edge: &Edge, entry: (Term, Term)| {
            post_order(edge.op.reads()).iter().any(|term| read_of(*term) == Some(entry))
        };
        let entries = self.known.keys().copied().filter(|(_, identity)| identity.is_var());
        let mut written: FxHashSet<Term> = FxHashSet::default();
        cfa.edges().for_each(|(_, edge)| written.extend(edge.op.writes()));
        let is_unset = |entry: &(Term, Term)| {
            let identity = &entry.1;
            if !written.contains(identity) {
                return true;
            }
            let mut seen = FxHashSet::from_iter([cfa.entry()]);
            let mut pending = vec![cfa.entry()];
            while let Some(location) = pending.pop() {
                for edge in cfa.outgoing(location).iter().map(|id| cfa.edge(*id)) {
                    if reads(edge, *entry) {
                        return true;
                    }
                    if !sets(edge, *entry) && seen.insert(edge.to) {
                        pending.push(edge.to);
                    }
                }
            }
            // Between a new identity and its size nothing may be read either.
            let gives = cfa.edges().filter(|(_, edge)| edge.op.writes().contains(identity));
            let followed = |edge: &Edge| cfa.outgoing(edge.to).iter().all(|next| sets(cfa.edge(*next), *entry));
            !gives.into_iter().all(|(_, edge)| sets(edge, *entry) || followed(edge))
        };
        entries.filter(is_unset).collect()
    }

    fn rewrite(&self, term: Term, unset: &FxHashSet<(Term, Term)>, memo: &mut FxHashMap<Term, Term>) -> Term {
        if self.known.is_empty() {
            return term;
        }
        bottom_up(term, memo, |term, memo| {
            match read_of(term).filter(|entry| !unset.contains(entry)).and_then(|entry| self.known.get(&entry)) {
                Some(known) => *known,
                None if term.args().is_empty() => term,
                None => {
                    let arguments: Vec<Term> = term.args().iter().map(|argument| memo[argument]).collect();
                    let term = if arguments == term.args() { term } else { make(term.op(), &arguments) };
                    read_of(term).map_or(term, |(map, identity)| self.chosen(map, identity, term))
                }
            }
        })
    }

    /// What a map has at the object of a variable, by cases.
    fn chosen(&self, map: Term, identity: Term, read: Term) -> Term {
        let targets = match (identity.op(), identity.args()) {
            (TermOp::PointerObject, [variable]) => self.targets.get(variable),
            _ => None,
        };
        let cases = targets.into_iter().flatten().rev().filter_map(|object| {
            let object = bv(OBJECT_WIDTH, (*object).into());
            Some((object, *self.known.get(&(map, object))?))
        });
        cases.fold(read, |otherwise, (object, value)| ite(eq(identity, object), value, otherwise))
    }
}

/// What a map has at identities, always; nothing, if it is written in a way that is not looked into.
fn told(program: &Program, map: Term, given: &FxHashSet<Term>) -> Option<FxHashMap<Term, Term>> {
    let (start, set_first) = set_first(program, map);
    let mut told: FxHashMap<Term, Option<Term>> = FxHashMap::default();
    for (id, procedure) in program.procedures() {
        for (number, edge) in procedure.body.iter().flat_map(Cfa::edges) {
            if !edge.op.writes().contains(&map) {
                continue;
            }
            let Op::Assign(pairs) = &edge.op else { return None };
            let mut value = pairs.iter().find(|(variable, _)| *variable == map)?.1;
            while value != map {
                // At the start the whole map may get one value; what counts is set behind that.
                if id == program.entry && start.contains(&number) && value.op() != &TermOp::Store {
                    break;
                }
                let (TermOp::Store, [inner, identity, element]) = (value.op(), value.args()) else { return None };
                if identity.value().is_none() && !given.contains(identity) {
                    return None;
                }
                let known = told.entry(*identity).or_insert(Some(*element));
                if *known != Some(*element) || element.value().is_none() {
                    *known = None;
                }
                value = *inner;
            }
        }
    }
    let is_set = |identity: &Term| identity.is_var() || set_first.contains(identity);
    let known = told.into_iter().filter_map(|(identity, value)| Some((identity, value?)));
    Some(known.filter(|(identity, _)| is_set(identity)).collect())
}

/// The edges with which execution starts, before anything is called, and the constant identities at which they set a map, for good and
/// before anything of it is read.
fn set_first(program: &Program, map: Term) -> (FxHashSet<EdgeId>, FxHashSet<Term>) {
    let (mut start, mut set) = (FxHashSet::default(), FxHashSet::default());
    let Ok(cfa) = &program.procedure(program.entry).body else { return (start, set) };
    let mut location = cfa.entry();
    while let [only] = cfa.outgoing(location) {
        let Edge { to, op: Op::Assign(pairs), .. } = cfa.edge(*only) else { break };
        let reads = |term: &Term| read_of(*term).is_some_and(|(read, _)| read == map);
        if pairs.iter().any(|(_, value)| post_order([*value]).iter().any(reads)) {
            break;
        }
        for (_, value) in pairs.iter().filter(|(variable, _)| *variable == map) {
            let mut stored = Vec::new();
            let mut before = *value;
            while let (TermOp::Store, [inner, identity, _]) = (before.op(), before.args()) {
                stored.push(*identity);
                before = *inner;
            }
            if before != map {
                set.clear();
            }
            set.extend(stored);
        }
        start.insert(*only);
        if !cfa.incoming(*to).iter().all(|edge| edge == only) {
            break;
        }
        location = *to;
    }
    (start, set)
}

/// A pointer to more static objects than this is not looked at by cases.
const MOST_TARGETS: usize = 6;

/// The static objects to which pointer variables are seen to point: where they get an address, a copy, an argument or a result.
fn targets(program: &Program) -> FxHashMap<Term, BTreeSet<u32>> {
    let mut flows: FxHashMap<Term, Vec<Term>> = FxHashMap::default();
    let mut pending: Vec<(Term, u32)> = Vec::new();
    let mut note = |target: Term, value: Term| {
        let mut parts = vec![value];
        while let Some(value) = parts.pop() {
            match (value.op(), value.args(), value.value()) {
                (_, _, Some(Value::Pointer { object: 0, .. })) => {}
                (_, _, Some(Value::Pointer { object, .. })) => pending.push((target, *object)),
                (TermOp::Var { .. }, ..) => flows.entry(value).or_default().push(target),
                (TermOp::Ite, [_, one, other], _) => parts.extend([*one, *other]),
                (TermOp::Pointer | TermOp::PointerObject, [inner, ..], _) => parts.push(*inner),
                _ => {}
            }
        }
    };
    let is_pointer = |term: &Term| matches!(term.sort().kind(), SortKind::Pointer(_));
    for edge in program.edges() {
        match &edge.op {
            Op::Assign(pairs) => {
                pairs.iter().filter(|(target, _)| is_pointer(target)).for_each(|(target, value)| note(*target, *value));
            }
            Op::Call { procedure, arguments, results } => {
                let callee = program.procedure(*procedure);
                let parameters = callee.parameters.iter().map(|parameter| parameter.term);
                parameters.zip(arguments).filter(|(p, _)| is_pointer(p)).for_each(|(p, value)| note(p, *value));
                let own = callee.results.iter().map(|result| result.term);
                results.iter().zip(own).filter(|(target, _)| is_pointer(target)).for_each(|(t, own)| note(*t, own));
            }
            _ => {}
        }
    }
    let mut targets: FxHashMap<Term, BTreeSet<u32>> = FxHashMap::default();
    while let Some((variable, object)) = pending.pop() {
        let known = targets.entry(variable).or_default();
        // One more than is looked at tells that there are too many.
        if known.len() <= MOST_TARGETS && known.insert(object) {
            pending.extend(flows.get(&variable).into_iter().flatten().map(|target| (*target, object)));
        }
    }
    targets.retain(|_, objects| objects.len() <= MOST_TARGETS);
    targets
}

/// The map and the identity that a term reads it at.
fn read_of(term: Term) -> Option<(Term, Term)> {
    match (term.op(), term.args()) {
        (TermOp::Select, [map, identity]) => Some((*map, *identity)),
        _ => None,
    }
}

/// The variables that hold nothing but identities which were given to new objects, if identities are counted upwards.
fn given(program: &Program) -> Option<FxHashSet<Term>> {
    let mut given: FxHashSet<Term> = FxHashSet::from_iter([next()]);
    let mut others: FxHashSet<Term> = FxHashSet::default();
    for edge in program.edges() {
        let Op::Assign(pairs) = &edge.op else {
            others.extend(edge.op.writes());
            continue;
        };
        for (variable, value) in pairs {
            match *variable == next() {
                true if !counts(program, *value) => return None,
                true => {}
                false if *value == next() => {
                    given.insert(*variable);
                }
                false => {
                    others.insert(*variable);
                }
            }
        }
    }
    (!others.contains(&next())).then(|| given.difference(&others).copied().collect())
}

/// Whether a value of [`next`] is its start, or one more than before.
fn counts(program: &Program, value: Term) -> bool {
    let start = value.as_bv().is_some_and(|start| start.unsigned() > program.objects.len() as u128);
    start || value == bv_add(next(), bv(OBJECT_WIDTH, 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A program whose objects get their sizes in one chain of stores, a pointer to one of two, and an allocation of a known size.
    const PROGRAM: &str = "program \"p\" lp64 entry main\nobject 1 a: variable size 8\nobject 2 b: variable size 16\n\
        global $next: bv32\nglobal $size: (Array bv32 bv64)\nproperty P array-bounds \"\"\n\
        procedure main() {\nlocal p: ptr64\nlocal o: bv32\nlocal c: bool\nlocation bad error P\n\
        entry -> s: $next := #x00000003\n\
        s -> t: $size := (store (store $size #x00000001 #x0000000000000008) #x00000002 #x0000000000000010)\n\
        t -> u: p := (_ ptr 1 #x0000000000000000)\nt -> u: p := (_ ptr 2 #x0000000000000000)\n\
        u -> v: o := $next, $next := (bvadd $next #x00000001)\nv -> w: $size := (store $size o #x0000000000000020)\n\
        w -> bad: assume (bvult (select $size #x00000002) #x0000000000000010)\n\
        w -> bad: assume (bvult (select $size o) #x0000000000000020)\n\
        w -> bad: assume (bvult (select $size (pointer.object p)) #x0000000000000008)\nw -> exit\n}\n";

    fn conditions(program: &Program) -> Vec<Term> {
        let condition = |edge: &Edge| match &edge.op {
            Op::Assume(condition) => Some(*condition),
            _ => None,
        };
        program.edges().filter_map(condition).collect()
    }

    #[test]
    fn sizes_of_static_and_new_objects_are_constants() {
        let program = ir::parse(PROGRAM).unwrap_or_else(|errors| panic!("{errors:?}"));
        let conditions = conditions(&object_sizes(&program).program);
        let falsehoods = conditions.iter().filter(|condition| condition.as_bool() == Some(false)).count();
        assert_eq!(falsehoods, 2, "{conditions:?}");
        let by_cases = |condition: &&Term| post_order([**condition]).iter().any(|term| term.op() == &TermOp::Ite);
        assert_eq!(conditions.iter().filter(by_cases).count(), 1, "{conditions:?}");
    }

    /// What is written to a map in another way leaves it as it is.
    #[test]
    fn sizes_that_change_are_not_constants() {
        let writes = "u -> u: $size := (store $size (pointer.object p) #x0000000000000000)\nw -> exit";
        let program = ir::parse(&PROGRAM.replace("w -> exit", writes)).unwrap_or_else(|errors| panic!("{errors:?}"));
        let conditions = conditions(&object_sizes(&program).program);
        assert!(conditions.iter().all(|condition| condition.as_bool().is_none()), "{conditions:?}");
    }
}
