//! What goals speak of: the atoms that tell where a procedure is entered and where it returns (see [`crate::goals`]).
//!
//! They come from the conditions of bodies. A condition on what a procedure is given is an atom of its entry; one on what a call
//! returned is an atom of that call. Atoms move on until nothing new comes: an entry's atom becomes a condition of every
//! caller on what it gives, and an atom of a call a condition of the callee on its own values at the exit (so this is the
//! weakest precondition of single atoms). Where ways meet, a condition on the joint value is one on the value of each way.
//!
//! What is lost by leaving out atoms is precision, nothing else.

use crate::inlining::{Inlining, callee_values};
use crate::summary::at_entry;
use crate::vc::{Site, Template};
use engine::Reason;
use ir::ProcId;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;
use std::collections::hash_map::Entry;
use std::rc::Rc;
use term::build::eq;
use term::free::{Free, dag_size};
use term::subst::substitute;
use term::visit::{bound, post_order};
use term::{Op as TermOp, SortKind, Term};

/// An atom that is larger than this is left out.
const LARGEST: usize = 40;

/// Of each procedure and of each call there are at most so many.
const MOST: usize = 200;

/// So many are about the same variables. A counter would make more and more.
const MOST_ALIKE: usize = 12;

/// An atom of a call, and the atom of the caller's exit that it comes from.
type OfCall = (Term, Option<Term>);

/// The atoms of a program.
pub struct Atoms {
    /// Of entries, over variables [`at_entry`].
    entries: FxHashMap<ProcId, Vec<Term>>,
    /// Of calls, by caller and number: over the callee's variables at its exit and [`at_entry`]. One that comes from an atom of
    /// the caller's exit matters only where that is asked for.
    calls: FxHashMap<(ProcId, usize), Vec<OfCall>>,
    bodies: FxHashMap<ProcId, Rc<Template>>,
    callers: FxHashMap<ProcId, Vec<(ProcId, usize)>>,
    frames: FxHashMap<ProcId, Frame>,
    free: Free,
    seen: FxHashSet<(ProcId, Term, Option<Term>)>,
    /// Conditions of bodies, and the atom of the body's exit that they come from.
    pending: VecDeque<(ProcId, Term, Option<Term>)>,
    /// The procedures for which there are new atoms.
    changed: FxHashSet<ProcId>,
}

/// An atom that an execution needs which cannot be taken.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Seed {
    /// Of a procedure's entry, over variables [`at_entry`].
    Entry(ProcId, Term),
    /// Of a call, by caller and number.
    Call(ProcId, usize, Term),
}

impl Atoms {
    /// No atoms yet, for all procedures that the entry calls.
    pub fn new(inlining: &mut Inlining<'_>) -> Result<Atoms, Reason> {
        let mut bodies: FxHashMap<ProcId, Rc<Template>> = FxHashMap::default();
        let mut waiting = vec![inlining.program.entry];
        while let Some(id) = waiting.pop() {
            if let Entry::Vacant(place) = bodies.entry(id) {
                let template = place.insert(inlining.template(id)?);
                waiting.extend(template.sites.iter().map(|site| site.callee));
            }
        }
        let mut order: Vec<ProcId> = bodies.keys().copied().collect();
        order.sort_unstable();
        let mut callers: FxHashMap<ProcId, Vec<(ProcId, usize)>> = FxHashMap::default();
        for id in &order {
            for (number, site) in bodies[id].sites.iter().enumerate() {
                callers.entry(site.callee).or_default().push((*id, number));
            }
        }
        Ok(Atoms {
            entries: FxHashMap::default(),
            calls: FxHashMap::default(),
            pending: VecDeque::new(),
            changed: FxHashSet::default(),
            frames: bodies.iter().map(|(id, template)| (*id, Frame::new(inlining, template))).collect(),
            bodies,
            callers,
            free: Free::new(),
            seen: FxHashSet::default(),
        })
    }

    /// The bodies of all procedures that the entry calls.
    pub fn bodies(&self) -> impl Iterator<Item = &Rc<Template>> {
        self.bodies.values()
    }

    /// How often a procedure is called in the program's text.
    pub fn calls_of(&self, procedure: ProcId) -> usize {
        self.callers.get(&procedure).map_or(0, Vec::len)
    }

    pub fn of_entry(&self, procedure: ProcId) -> &[Term] {
        self.entries.get(&procedure).map_or(&[], Vec::as_slice)
    }

    /// The atoms of a call that matter where these atoms of the caller's exit are asked for.
    pub fn of_call<'a>(
        &'a self,
        caller: ProcId,
        site: usize,
        asked: &'a FxHashSet<Term>,
    ) -> impl Iterator<Item = Term> + 'a {
        let all = self.calls.get(&(caller, site)).into_iter().flatten();
        all.filter(|(_, from)| from.is_none_or(|from| asked.contains(&from))).map(|(atom, _)| *atom)
    }

    /// Adds atoms and what comes of them; the procedures whose goals tell more then, with their callers.
    pub fn add(&mut self, seeds: &[Seed]) -> FxHashSet<ProcId> {
        for seed in seeds {
            match seed {
                Seed::Entry(id, atom) => self.add_to_entry(*id, *atom, usize::MAX),
                Seed::Call(id, call, atom) => self.add_to_call(*id, *call, *atom, None, usize::MAX),
            }
        }
        self.close();
        let mut changed = FxHashSet::default();
        let mut pending: Vec<ProcId> = self.changed.drain().collect();
        while let Some(id) = pending.pop() {
            if changed.insert(id) {
                pending.extend(self.callers.get(&id).into_iter().flatten().map(|(caller, _)| *caller));
            }
        }
        changed
    }

    /// Finds all that comes of what is found.
    fn close(&mut self) {
        while let Some((id, atom, from)) = self.pending.pop_front() {
            self.place(id, atom, from);
        }
    }

    /// Finds out what a condition of a body is about.
    fn place(&mut self, id: ProcId, atom: Term, from: Option<Term>) {
        let atom = without_not(atom);
        if atom.value().is_some() || dag_size(atom) > LARGEST || !self.seen.insert((id, atom, from)) {
            return;
        }
        let frame = &self.frames[&id];
        let variables = self.free.of(atom);
        if variables.iter().all(|variable| frame.inputs.contains(variable)) {
            let told = substitute(atom, |variable| Some(at_entry(variable)));
            self.add_to_entry(id, told, MOST_ALIKE);
            return;
        }
        if let Some(joint) = variables.iter().find(|variable| frame.ways.contains_key(variable)) {
            for (_, value) in &frame.ways[joint] {
                let on_way = substitute(atom, |variable| (variable == *joint).then_some(*value));
                self.pending.push_back((id, on_way, from));
            }
            return;
        }
        // The last call is the one that it is a condition on; what other calls returned may be given to it.
        if let Some(call) = variables.iter().filter_map(|variable| frame.returned.get(variable)).max().copied() {
            let Site { callee, inputs, outputs, .. } = &self.bodies[&id].sites[call];
            let body = &self.bodies[callee];
            let back: FxHashMap<Term, Term> = outputs.iter().copied().zip(body.outputs.iter().copied()).collect();
            let entered = body.inputs.iter().copied().map(at_entry);
            let given: FxHashMap<Term, Term> =
                inputs.iter().copied().zip(entered).filter(|(input, _)| input.is_var()).collect();
            if variables.iter().all(|variable| back.contains_key(variable) || given.contains_key(variable)) {
                let told = substitute(atom, |variable| back.get(&variable).or_else(|| given.get(&variable)).copied());
                self.add_to_call(id, call, told, from, MOST_ALIKE);
            }
        }
    }

    /// Adds an atom to an entry, unless there are so many about the same variables.
    fn add_to_entry(&mut self, id: ProcId, atom: Term, most: usize) {
        let known = self.entries.entry(id).or_default();
        let variables = self.free.of(atom);
        let alike = known.iter().filter(|other| self.free.of(**other) == variables).count();
        if (known.len() >= MOST && most < known.len()) || alike >= most || known.contains(&atom) {
            return;
        }
        known.push(atom);
        for (caller, number) in self.callers.get(&id).into_iter().flatten() {
            let site = &self.bodies[caller].sites[*number];
            let entered = self.bodies[&id].inputs.iter().copied().map(at_entry);
            let given: FxHashMap<Term, Term> = entered.zip(site.inputs.iter().copied()).collect();
            let there = substitute(atom, |variable| given.get(&variable).copied());
            self.pending.push_back((*caller, there, None));
        }
        self.changed.insert(id);
    }

    /// The same for a call.
    fn add_to_call(&mut self, id: ProcId, call: usize, atom: Term, from: Option<Term>, most: usize) {
        let known = self.calls.entry((id, call)).or_default();
        let variables = self.free.of(atom);
        let alike = known.iter().filter(|(other, f)| *f == from && self.free.of(*other) == variables).count();
        if (known.len() >= MOST && most < known.len()) || alike >= most || known.contains(&(atom, from)) {
            return;
        }
        known.push((atom, from));
        let callee = self.bodies[&id].sites[call].callee;
        let own = &self.frames[&callee].own;
        let there = substitute(atom, |variable| own.get(&variable).copied());
        self.pending.push_back((callee, there, Some(atom)));
        // That the callee leaves a variable as it was tells more than what it is.
        let inputs = &self.frames[&callee].inputs;
        for variable in variables.iter().filter(|variable| inputs.contains(variable)) {
            let kept = (eq(*variable, at_entry(*variable)), from);
            if !known.contains(&kept) {
                known.push(kept);
            }
        }
        self.changed.insert(id);
    }
}

/// An atom, of which a negation is none.
pub fn without_not(literal: Term) -> Term {
    if *literal.op() == TermOp::Not { literal.args()[0] } else { literal }
}

/// The atoms in some formulas.
pub fn atoms_in(formulas: impl IntoIterator<Item = Term>) -> Vec<Term> {
    let is_connective = |op: &TermOp| {
        matches!(
            op,
            TermOp::And | TermOp::Or | TermOp::Not | TermOp::Implies | TermOp::Xor | TermOp::Ite | TermOp::Const(_)
        )
    };
    let is_atom = |part: &Term| *part.sort().kind() == SortKind::Bool && !is_connective(part.op()) && !is_flag(*part);
    let parts = post_order(formulas);
    let hidden: FxHashSet<Term> = parts.iter().flat_map(|part| bound(*part)).copied().collect();
    let mut free = Free::new();
    let is_open = |part: &Term| {
        post_order([*part]).iter().all(|part| bound(*part).is_empty() && !hidden.contains(part))
            && !free.of(*part).is_empty()
    };
    parts.iter().copied().filter(is_atom).filter(is_open).collect()
}

/// Whether a variable is a flag of a condition.
pub fn is_flag(variable: Term) -> bool {
    variable.is_var() && variable.name().is_some_and(|name| name.as_str().starts_with(' '))
}

/// What the variables of a body are.
struct Frame {
    inputs: FxHashSet<Term>,
    /// The values of variables that are joint values.
    ways: FxHashMap<Term, Vec<(Term, Term)>>,
    /// The call that returned a copy.
    returned: FxHashMap<Term, usize>,
    /// What its variables at its entry and at its exit are.
    own: FxHashMap<Term, Term>,
}

impl Frame {
    fn new(inlining: &Inlining<'_>, template: &Template) -> Frame {
        let mut returned = FxHashMap::default();
        for (number, site) in template.sites.iter().enumerate() {
            for copy in &site.outputs {
                returned.insert(*copy, number);
            }
        }
        let own = own_values(inlining, template);
        Frame { inputs: template.inputs.iter().copied().collect(), ways: template.joints.clone(), returned, own }
    }
}

/// What a procedure's variables at its entry and at its exit are in its body.
pub fn own_values(inlining: &Inlining<'_>, template: &Template) -> FxHashMap<Term, Term> {
    callee_values(inlining.program, &inlining.effects, template.procedure, &template.inputs, &template.returned)
}
