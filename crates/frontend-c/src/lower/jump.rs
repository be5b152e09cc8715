//! Jumps out of functions: `setjmp` and `longjmp` (C11 7.13).
//!
//! A call of `setjmp` is a *site*. It leaves in the buffer the number of the *activation* of its function and its own number.
//! `longjmp` raises a flag and says which activation and site are meant. From there, and behind each call that may come back with the
//! flag raised, functions are left one after the other until the activation is found; control goes on behind its site.
//!
//! - The objects of the functions and blocks that are left end; cleanup functions are not called, as gcc's programs do not.
//! - A local variable of the activation that is not volatile and whose value changed since the call of `setjmp` is arbitrary and
//!   counts as not written (7.13.2.1p3). Of arrays and records in memory it is assumed that they keep what was written, and said.
//! - Where no activation is found, its function has returned, which has no meaning: nothing is known there. The same is said of jumps
//!   back into blocks that were left.
//!
//! Invariant: outside of what this module writes, the flag is not raised.

use super::context::Context;
use super::first::Watched;
use super::library;
use super::link::{In, Link};
use super::reach::{Reached, Target};
use super::scope::Scope;
use super::storage::{Shape, Storage, stored_sort};
use super::writer::Writer;
use crate::hir::{Callee, ExprKind, FunctionId};
use crate::types::{Ty, Types};
use ir::{AssumptionKind, LocId, Op};
use rustc_hash::FxHashSet;
use term::{Sort, Term, build};

/// The widths of the numbers of activations and of sites.
const ACTIVATION: u32 = 64;
const SITE: u32 = 32;

/// What registers a cleanup handler of a thread, and what ends a thread.
const CLEANUP: &str = "__pthread_register_cancel";
const ENDS: [&str; 2] = ["pthread_exit", "thrd_exit"];

/// Which functions may come back by a jump to one of their callers.
pub(super) struct Jumpers {
    /// Nothing if none does.
    functions: Option<FxHashSet<In<FunctionId>>>,
    /// All that were looked at.
    known: FxHashSet<In<FunctionId>>,
}

impl Jumpers {
    pub fn new(link: &Link<'_>, reached: &Reached) -> Jumpers {
        let known: FxHashSet<In<FunctionId>> = reached.functions.iter().copied().collect();
        // With cleanup handlers, the end of a thread is a jump to each.
        let cleans = reached.functions.iter().any(|function| link.function(*function).name == CLEANUP.into());
        if !cleans && !library::JUMPS.iter().any(|name| reached.calls(name)) {
            return Jumpers { functions: None, known };
        }
        let mut found: FxHashSet<In<FunctionId>> = FxHashSet::default();
        let is_jump = |function: In<FunctionId>| {
            let name = link.function(function).name;
            library::JUMPS.contains(&name.as_str()) || cleans && ENDS.contains(&name.as_str())
        };
        loop {
            let before = found.len();
            let given = reached.address_taken.iter().any(|function| found.contains(function) || is_jump(*function));
            for function in &reached.functions {
                let Some(body) = link.body(*function) else { continue };
                let jumps = |id: FunctionId| {
                    let called = link.definition(In { unit: function.unit, id });
                    // What has no text of its own may call functions that it was given.
                    is_jump(called)
                        || found.contains(&called)
                        || given && !matches!(link.target(called), Target::Defined(_))
                };
                let by_call = body.exprs.iter().any(|expr| match expr.kind {
                    ExprKind::Call { callee: Callee::Direct(id), .. } => jumps(id),
                    ExprKind::Call { .. } => given,
                    _ => false,
                });
                if by_call || body.locals.iter().filter_map(|local| local.cleanup).any(jumps) {
                    found.insert(*function);
                }
            }
            if found.len() == before {
                return Jumpers { functions: Some(found), known };
            }
        }
    }

    /// Whether a function may come back by a jump. Of one that was reached later, nothing is known.
    fn has(&self, function: In<FunctionId>) -> bool {
        self.functions.as_ref().is_some_and(|found| found.contains(&function) || !self.known.contains(&function))
    }
}

/// The jumps of the function that is being written.
#[derive(Default)]
pub(super) struct Jumps {
    /// The number of the activation, if the function has sites.
    activation: Option<Term>,
    sites: Vec<Site>,
    ways: Vec<Way>,
}

/// A call of `setjmp`.
struct Site {
    number: Term,
    again: LocId,
    result: Term,
    scopes: Vec<Scope>,
    /// Local variables, each with what it held.
    saved: Vec<(Kept, Term)>,
}

/// Where a local variable is kept whose value is saved.
#[derive(Clone, Copy)]
enum Kept {
    Variable(Term),
    Memory(Term),
}

/// Where a jump starts, or arrives from a function that was called.
struct Way {
    start: LocId,
    scopes: Vec<Scope>,
    /// Whether that is inside an atomic section of the library.
    in_section: bool,
}

/// Whether a jump is on its way.
fn flag() -> Term {
    Term::var("$jumps", Sort::bool())
}

/// Which activation and site it goes to, and with which value.
fn target() -> [Term; 3] {
    let named = |name: &str, width: u32| Term::var(name, Sort::bv(width));
    [named("$jump-activation", ACTIVATION), named("$jump-site", SITE), named("$jump-value", 32)]
}

/// The number of activations of functions with sites.
fn activations() -> Term {
    Term::var("$activations", Sort::bv(ACTIVATION))
}

impl Context<'_> {
    pub fn initial_jumps(&self) -> Vec<Op> {
        let none = Op::assign(activations(), build::bv(ACTIVATION, 0));
        if self.is_global(activations()) { vec![none] } else { Vec::new() }
    }

    fn jump_target(&mut self) -> [Term; 3] {
        target().map(|variable| self.internal(variable, true))
    }

    fn jump_flag(&mut self) -> Term {
        self.internal(flag(), true)
    }
}

impl Writer<'_, '_> {
    /// That no jump is on its way, where a thread starts.
    pub fn begin_jumps(&mut self) {
        if self.context.jumpers.functions.is_some() {
            let flag = self.context.jump_flag();
            self.code.assign(flag, build::falsehood());
        }
    }

    /// The function that was just called may have come back by a jump.
    pub fn catch_jump(&mut self, function: In<FunctionId>) {
        if !self.context.jumpers.has(self.context.link.definition(function)) {
            return;
        }
        let flag = self.context.jump_flag();
        let (start, next) = (self.code.location(), self.code.location());
        self.code.branch(flag, start, next);
        self.add_way(start);
        self.code.continue_at(next);
    }

    fn add_way(&mut self, start: LocId) {
        let way = Way { start, scopes: self.scopes.clone(), in_section: self.sections > 0 };
        self.jumps.ways.push(way);
    }

    /// Jumps to a site of an activation. What is written next is unreachable.
    pub fn jump_out(&mut self, activation: Term, site: Term, value: Term) {
        let [to, at, with] = self.context.jump_target();
        let flag = self.context.jump_flag();
        self.code.assign_all(vec![(to, activation), (at, site), (with, value), (flag, build::truth())]);
        let start = self.code.location();
        self.code.jump(start);
        self.add_way(start);
    }

    /// The number of the running activation: a new one for each call of the function.
    pub fn activation(&mut self) -> Term {
        if let Some(activation) = self.jumps.activation {
            return activation;
        }
        let count = self.context.internal(activations(), false);
        let activation = self.code.internal("$activation", Sort::bv(ACTIVATION));
        let next = build::bv_add(count, build::bv(ACTIVATION, 1));
        let mut first = vec![Op::assign(activation, next), Op::assign(count, activation)];
        if self.context.threaded {
            first.insert(0, Op::AtomicBegin);
            first.push(Op::AtomicEnd);
        }
        self.code.watched.push(Watched { variable: activation, first });
        self.jumps.activation = Some(activation);
        activation
    }

    /// A new site here. Its result: 0, or what a jump brings. The buffer keeps its values.
    pub fn add_site(&mut self, number: Term, buffer: Term) -> Term {
        let result = self.code.internal("$setjmp", Sort::bv(32));
        self.code.watched.push(Watched { variable: result, first: Vec::new() });
        self.code.assign(result, build::bv(32, 0));
        let saved = if self.context.jumpers.functions.is_some() { self.save_locals(buffer) } else { Vec::new() };
        let again = self.code.location();
        self.code.enter(again);
        let scopes = self.scopes.clone();
        self.jumps.sites.push(Site { number, again, result, scopes, saved });
        result
    }

    /// What the local variables hold that are not volatile.
    fn save_locals(&mut self, buffer: Term) -> Vec<(Kept, Term)> {
        let mut kept = Vec::new();
        let mut larger = Vec::new();
        for (local, storage) in self.body.locals.iter().zip(self.storage.clone()) {
            let (Some(storage), false, false) = (storage, local.ty.is_volatile(), local.is_temporary) else { continue };
            match (storage, Shape::of(self.types, local.ty)) {
                (Storage::Variables(slots), _) => {
                    kept.extend(slots.variables.iter().map(|variable| (Kept::Variable(*variable), *variable)));
                }
                (Storage::Memory(pointer), Shape::Scalar(scalar)) => {
                    let sort = stored_sort(scalar, self.context.model);
                    let value = self.read(sort, pointer);
                    kept.push((Kept::Memory(pointer), value));
                }
                (Storage::Memory(pointer), _) => {
                    // Names that begin with two underscores are those of macros of the library.
                    let is_users = local.name.is_some_and(|name| !name.as_str().starts_with("__"));
                    let is_own = build::pointer_object(pointer) == build::pointer_object(buffer);
                    if is_users && !is_own && !is_buffer(self.types, local.ty) {
                        larger.push(local.name);
                    }
                }
            }
        }
        if !larger.is_empty() {
            let names: Vec<String> = larger.into_iter().flatten().map(|name| format!("`{name}`")).collect();
            let text = format!("longjmp leaves what was written to {} since setjmp", names.join(", "));
            let place = self.code.place;
            self.context.assume(AssumptionKind::Jumps, &text, &[], place);
        }
        let mut save = |(kept, value): (Kept, Term)| {
            let copy = self.code.internal("$saved", value.sort());
            self.code.watched.push(Watched { variable: copy, first: Vec::new() });
            self.code.assign(copy, value);
            (kept, copy)
        };
        kept.into_iter().map(&mut save).collect()
    }

    /// Writes where jumps lead that start in the function or come back to it.
    pub fn finish_jumps(&mut self) {
        let Jumps { activation, sites, ways } = std::mem::take(&mut self.jumps);
        if ways.is_empty() {
            return;
        }
        let is_outermost = self.code.is_outermost();
        let [to, at, _] = self.context.jump_target();
        let leave = self.code.location();
        let landings: Vec<LocId> = sites.iter().map(|_| self.code.location()).collect();
        for way in ways {
            self.code.continue_at(way.start);
            if way.in_section {
                self.unsupported("a longjmp out of an atomic section");
                continue;
            }
            for (site, landing) in sites.iter().zip(&landings) {
                let Some(activation) = activation else { continue };
                let is_meant = build::and([build::eq(to, activation), build::eq(at, site.number)]);
                let (here, other) = (self.code.location(), self.code.location());
                self.code.branch(is_meant, here, other);
                self.code.continue_at(here);
                let shared = way.scopes.iter().zip(&site.scopes).take_while(|(a, b)| a.is_same(b)).count();
                if site.scopes.iter().skip(shared).any(|scope| scope.block.is_some()) {
                    self.unsupported("a longjmp back into a block that was left");
                } else {
                    self.end_objects(way.scopes.get(shared..).unwrap_or_default());
                    self.code.jump(*landing);
                }
                self.code.continue_at(other);
            }
            self.end_objects(&way.scopes);
            self.code.jump(leave);
        }
        for (site, landing) in sites.into_iter().zip(landings) {
            self.code.continue_at(landing);
            self.land(site);
        }
        self.code.continue_at(leave);
        if is_outermost {
            self.unsupported("a longjmp to a function that has returned");
        } else {
            self.leave_section();
            self.code.finish_here();
        }
    }

    /// A jump arrives at its site.
    fn land(&mut self, site: Site) {
        for (kept, copy) in site.saved {
            let value = match kept {
                Kept::Variable(variable) => variable,
                Kept::Memory(pointer) => {
                    let value = self.read(copy.sort(), pointer);
                    self.code.keep(value)
                }
            };
            let (same, changed) = (self.code.location(), self.code.location());
            self.code.branch(build::eq(value, copy), same, changed);
            self.code.continue_at(changed);
            let open = self.code.arbitrary(copy.sort());
            match kept {
                Kept::Variable(variable) => {
                    self.code.assign(variable, open);
                    self.variable_lost(variable);
                }
                Kept::Memory(pointer) => {
                    self.write(pointer, open);
                    self.begin_unwritten(pointer);
                }
            }
            self.code.enter(same);
        }
        let [_, _, with] = self.context.jump_target();
        let flag = self.context.jump_flag();
        self.code.assign_all(vec![(site.result, with), (flag, build::falsehood())]);
        self.code.jump(site.again);
    }
}

/// Whether a type is glibc's `jmp_buf`.
fn is_buffer(types: &Types, ty: Ty) -> bool {
    let record = types.record(types.element(ty).unwrap_or(ty));
    record.and_then(|record| types[record].tag).is_some_and(|tag| tag.as_str().contains("jmp_buf"))
}
