//! Where objects lie, in programs that look at addresses.
//!
//! The address of an object is arbitrary, but for what is assumed when it is made: its alignment, and that it overlaps no
//! object that lives. The objects made so far lie between two addresses. A new one lies below or above all of them, touching
//! them or not, or in a *hole*: the place of one object that is gone. Which one is remembered is open. So order, distances and
//! addresses that come back are open, but not every layout of many objects is among these; that is an assumption.

use super::context::Context;
use super::writer::Writer;
use ir::{AssumptionKind, ObjectKind, Op, memory};
use term::{Sort, Term, build};

/// Addresses from here on to the end are never used up.
const MARGIN: u64 = 1 << 16;

/// How many static variables lie in any order.
const MOST_FREE: usize = 6;

/// What the assumption on layouts says.
const COVERED: &str = "static objects lie in the order of their declaration, but for six variables, and others below or above \
     all others, or where one object that is gone has been";
const COVERED_APART: &str = "static objects lie in the order of their declaration, but for six variables, and others below or above all others, or where \
     one object that is gone has been; no two touch";

/// What is known of the layout so far. All names begin with [`memory::BRK`].
struct Layout {
    /// The end of the highest object, and the start of the lowest; zero and the last address before there is one.
    high: Term,
    low: Term,
    /// The hole, from its first address to its end.
    hole: Term,
    hole_end: Term,
}

impl Context<'_> {
    fn layout_variable(&mut self, name: &str) -> Term {
        let sort = Sort::bv(self.model.pointer_width());
        self.internal(Term::var(format!("{}{name}", memory::BRK).as_str(), sort), false)
    }

    fn layout_variables(&mut self) -> Layout {
        let [high, low, hole, hole_end] = ["", ":low", ":hole", ":hole-end"].map(|name| self.layout_variable(name));
        Layout { high, low, hole, hole_end }
    }

    /// How many bytes the objects have that live, if that is counted: where memory may be used up.
    fn used(&mut self) -> Term {
        self.layout_variable(":used")
    }

    /// Where the static objects lie. Some variables lie in any order, before, behind and among each other; all others, as
    /// functions and literals, one behind the other.
    pub fn initial_layout(&mut self) -> Vec<Op> {
        let (Layout { high, low, hole, hole_end }, used) = (self.layout_variables(), self.used());
        let (text, none) = (if self.objects_touch { COVERED } else { COVERED_APART }, self.offset(0));
        self.assume(AssumptionKind::FixedAddresses, text, &[], None);
        let bases = self.base_map();
        let start = |object: usize| build::select(bases, build::bv(term::OBJECT_WIDTH, object as u128));
        let free = |object: &usize| self.objects[*object].kind == ObjectKind::Variable;
        let free: Vec<usize> = (0..self.objects.len()).filter(free).take(MOST_FREE).collect();
        let total = self.objects.iter().fold(0, |total: u64, object| total.saturating_add(object.size + 1));
        let last = build::bv_neg(self.offset(1));
        let values = [(high, none), (low, last), (hole, none), (hole_end, none), (used, self.offset(total))];
        let mut steps = vec![Op::Assign(values.to_vec())];
        let place = |context: &Self, object: usize| {
            let (start, room) = (start(object + 1), context.room(context.offset(context.objects[object].size)));
            let end = build::bv_add(start, room);
            let fits =
                [is_aligned(start, context.alignments[object]), build::ne(start, none), build::bv_ult(start, end)];
            (start, end, build::and(fits))
        };
        let mut row: Option<(Term, Term)> = None;
        for object in (0..self.objects.len()).filter(|object| !free.contains(object)) {
            let (start, end, fits) = place(self, object);
            steps.push(Op::Assume(build::and([build::bv_ule(high, start), fits])));
            let lowest = row.is_none().then_some((low, start));
            steps.push(Op::Assign([(high, end)].into_iter().chain(lowest).collect()));
            row = Some((row.map_or(start, |(first, _)| first), end));
        }
        let mut places = Vec::from_iter(row);
        let mut facts = vec![build::eq(start(0), none)];
        for object in free {
            let (start, end, fits) = place(self, object);
            let higher = build::ite(build::bv_ult(high, end), end, high);
            let lower = build::ite(build::bv_ult(start, low), start, low);
            steps.push(Op::Assign(vec![(high, higher), (low, lower)]));
            facts.push(fits);
            facts.extend(places.iter().map(|other| are_apart((start, end), *other)));
            places.push((start, end));
        }
        // That mentions the variables of the layout: it is no use of addresses.
        facts.push(build::or([build::bv_ule(low, high), build::eq(high, none)]));
        steps.push(Op::Assume(build::and(facts)));
        steps
    }

    /// How many bytes an object takes in the address space: one at least.
    fn room(&self, size: Term) -> Term {
        let one = self.offset(1);
        match size.as_bv().map(|size| size.unsigned()) {
            _ if !self.objects_touch => build::bv_add(size, one),
            Some(0) => one,
            Some(_) => size,
            None => build::ite(build::eq(size, self.offset(0)), one, size),
        }
    }

    /// What puts an object at an address that is a multiple of `align`, where it overlaps no other. Its size is known already.
    pub fn layout(&mut self, object: Term, size: Term, align: u32) -> Vec<Op> {
        let (Layout { high, low, hole, hole_end }, used) = (self.layout_variables(), self.used());
        let room = self.room(size);
        let start = build::select(self.base_map(), object);
        let end = build::bv_add(start, room);
        // The first of all objects may lie anywhere.
        let is_first = if self.objects.is_empty() { build::eq(high, self.offset(0)) } else { build::falsehood() };
        let above = build::or([is_first, build::bv_ule(high, start)]);
        let below = build::bv_ule(end, low);
        let in_hole = build::and([build::bv_ule(hole, start), build::bv_ule(end, hole_end)]);
        let is_object = build::ne(start, self.offset(0));
        let somewhere = build::or([above, below, in_hole]);
        let fits = build::and([somewhere, is_aligned(start, align), is_object, build::bv_ult(start, end)]);
        let values = vec![
            (high, build::ite(above, end, high)),
            (low, build::ite(build::or([is_first, below]), start, low)),
            (hole_end, build::ite(build::or([above, below]), hole_end, hole)),
            (used, build::bv_add(used, room)),
        ];
        vec![Op::Assume(fits), Op::Assign(values)]
    }
}

fn is_aligned(start: Term, align: u32) -> Term {
    match align.trailing_zeros() {
        0 => build::truth(),
        bits => build::eq(build::extract(bits - 1, 0, start), build::bv(bits, 0)),
    }
}

/// Whether two ranges of addresses, with their ends, do not overlap.
fn are_apart(one: (Term, Term), other: (Term, Term)) -> Term {
    build::or([build::bv_ule(one.1, other.0), build::bv_ule(other.1, one.0)])
}

impl Writer<'_, '_> {
    /// That a new object does not overlap those of the scopes that are open. It follows from where it lies, but not in one step.
    /// Where jumps may lead past declarations, it is not known what lives.
    pub fn keep_apart(&mut self, object: Term, size: Term) {
        if !self.context.with_addresses || !self.body.labels.is_empty() {
            return;
        }
        let (bases, high) = (self.context.base_map(), self.context.layout_variables().high);
        let start = |object: Term| build::select(bases, object);
        let own = (start(object), build::bv_add(start(object), size));
        let mut facts = vec![build::bv_ult(own.0, high)];
        for other in self.known_alive(MOST_FREE) {
            let size = self.sizes.get(&other).copied().unwrap_or(0);
            let end = build::bv_add(start(other), self.offset(size));
            facts.push(are_apart(own, (start(other), end)));
        }
        if facts.len() > 1 {
            self.code.emit(Op::Assume(build::and(facts)));
        }
    }

    /// That an object goes, if it lives: another may lie there.
    pub fn leave_place(&mut self, object: Term) {
        let (all, used) = (self.context.layout_variables(), self.context.used());
        let remembers = self.code.arbitrary(Sort::bool());
        // Nothing is known of where external objects lie.
        let is_own = build::bv_ult(object, build::bv(term::OBJECT_WIDTH, u128::from(memory::FIRST_EXTERNAL)));
        let is_own = build::and([is_own, build::select(self.context.alive_map(), object)]);
        let start = build::select(self.context.base_map(), object);
        let size = build::select(self.context.size_map(), object);
        let room = self.context.room(size);
        let takes = build::and([is_own, remembers]);
        self.code.assign_all(vec![
            (all.hole, build::ite(takes, start, all.hole)),
            (all.hole_end, build::ite(takes, build::bv_add(start, room), all.hole_end)),
            (used, build::ite(is_own, build::bv_sub(used, room), used)),
        ]);
    }

    /// Whether there are too few addresses left for an object of the size.
    pub fn is_used_up(&mut self, size: Term) -> Term {
        if !self.context.with_addresses {
            return build::falsehood();
        }
        let used = self.context.used();
        let all = build::bv_neg(self.offset(MARGIN));
        let left = build::bv_sub(all, used);
        build::or([build::bv_ule(all, used), build::bv_ule(left, size)])
    }
}
