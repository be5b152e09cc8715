//! Whether what is read was written before.
//!
//! A local variable that is kept in IR variables has a flag for each of them. Of an object in memory two things are
//! known: which bytes were certainly written, and which perhaps. For an object of up to 64 bytes, each is a number
//! with a bit for each byte; for a larger one, the first is the length of a prefix, and the second the end of what was
//! written. A read of a byte that was certainly not written is a violation; going on with one of which it is not known
//! is not supported. A copy of bytes takes with it what is known of them.
//!
//! Perhaps written are bytes of which a bit-field has a part, and those between the members of a record that was
//! stored as a whole.
//!
//! What starts with arbitrary contents that nobody forgot to write (arguments of the program, inputs) counts as
//! written, as do variables with static storage, which start with zeros. Only declarations without initialiser and
//! memory from `malloc` and its like are begun here.
//!
//! A function that may return without the value that it should give says whether it did; a call whose value is used
//! asks.

use super::checks::UNINITIALISED;
use super::context::Context;
use super::first::Watched;
use super::place::{At, Lvalue};
use super::writer::Writer;
use ir::Op;
use source::Symbol;
use term::{Sort, Term, build};

/// Of objects with more bytes than this it is not known of each whether it was written.
const MOST_BYTES: u64 = 64;
/// The width of what is known of an object.
const WIDTH: u32 = 64;

/// What was certainly written of each object.
fn written() -> Term {
    Term::var("$written", Sort::array(Sort::object(), Sort::bv(WIDTH)))
}

/// What was perhaps written of each object.
fn touched() -> Term {
    Term::var("$touched", Sort::array(Sort::object(), Sort::bv(WIDTH)))
}

/// What is known of an object that is written as a whole.
fn all() -> Term {
    build::bv_not(build::bv(WIDTH, 0))
}

/// Bytes of one object.
#[derive(Clone, Copy)]
struct Bytes {
    object: Term,
    /// Whether the object has a bit for each.
    is_small: Term,
    start: Term,
    length: Term,
}

impl Bytes {
    /// Their bits, in a small object.
    fn bits(&self) -> Term {
        build::bv_shl(self.ones(), self.start)
    }

    fn ones(&self) -> Term {
        let one = build::bv(WIDTH, 1);
        build::bv_sub(build::bv_shl(one, self.length), one)
    }

    fn end(&self) -> Term {
        build::bv_add(self.start, self.length)
    }

    /// Whether a map says that all of them were written.
    fn are_in(&self, map: Term) -> Term {
        let known = build::select(map, self.object);
        let missing = build::bv_and(self.bits(), build::bv_not(known));
        let has_bits = build::eq(missing, build::bv(WIDTH, 0));
        build::ite(self.is_small, has_bits, build::bv_ule(self.end(), known))
    }

    /// What a map says of the object when they are written, too. A prefix grows only where it reaches them.
    fn added_to(&self, map: Term, is_prefix: bool) -> Term {
        let known = build::select(map, self.object);
        let mut grows = build::bv_ult(known, self.end());
        if is_prefix {
            grows = build::and([grows, build::bv_ule(self.start, known)]);
        }
        build::ite(self.is_small, build::bv_or(known, self.bits()), build::ite(grows, self.end(), known))
    }

    /// What a map says of the object when they are a copy of others; right where both objects are small, or both are not and they
    /// are at their beginning.
    fn copied_to(&self, map: Term, is_prefix: bool, from: &Bytes) -> Term {
        let (known, source) = (build::select(map, self.object), build::select(map, from.object));
        let taken = build::bv_shl(build::bv_and(build::bv_lshr(source, from.start), self.ones()), self.start);
        let bits = build::bv_or(build::bv_and(known, build::bv_not(self.bits())), taken);
        let ends_inside = build::bv_ult(source, self.length);
        let is_longer = build::bv_ult(self.length, known);
        let inside = if is_prefix { source } else { build::ite(is_longer, known, source) };
        let whole = build::ite(is_longer, known, self.length);
        build::ite(self.is_small, bits, build::ite(ends_inside, inside, whole))
    }
}

/// Whether the function that returned last gave its value, of those that may not.
fn has_result() -> Term {
    Term::var("$has-result", Sort::bool())
}

impl Writer<'_, '_> {
    /// That the function returns with the value that it should give, or without.
    pub fn note_value(&mut self, has_value: bool) {
        if self.may_lack_value && self.context.checks.uninitialised {
            let flag = self.context.internal(has_result(), true);
            self.code.assign(flag, build::bool(has_value));
        }
    }

    /// The value of a call that may have given none is used.
    pub fn check_result(&mut self, function: Symbol) {
        if self.context.checks.uninitialised {
            let flag = self.context.internal(has_result(), true);
            let text = format!("the value of `{function}` is used, which returned none");
            self.require(UNINITIALISED, flag, &text);
        }
    }

    /// A variable begins to live, and has no value.
    pub fn begin_without_value(&mut self, lvalue: &Lvalue) {
        if !self.context.checks.uninitialised {
            return;
        }
        match &lvalue.at {
            At::Memory(pointer) => self.begin_unwritten(*pointer),
            At::Slots { slots, .. } => {
                let flags: Vec<Term> = slots.variables.iter().map(|variable| self.flag(*variable)).collect();
                self.code.assign_all(flags.into_iter().map(|flag| (flag, build::falsehood())).collect());
            }
        }
    }

    /// The flag of a variable; it is made when it is first asked for, and false before the variable's declaration.
    fn flag(&mut self, variable: Term) -> Term {
        if let Some(flag) = self.flags.get(&variable) {
            return *flag;
        }
        let flag = self.code.internal("$has-value", Sort::bool());
        self.code.watched.push(Watched { variable: flag, first: vec![Op::assign(flag, build::falsehood())] });
        self.flags.insert(variable, flag);
        flag
    }

    /// A new object in memory of which nothing is written.
    pub fn begin_unwritten(&mut self, pointer: Term) {
        if let Some(step) = self.unwritten(build::pointer_object(pointer)) {
            self.code.emit(step);
        }
    }

    /// That nothing is written of an object, if that matters.
    pub fn unwritten(&mut self, object: Term) -> Option<Op> {
        if !self.context.checks.uninitialised {
            return None;
        }
        let nothing = build::bv(WIDTH, 0);
        Some(Op::Assign(self.maps().map(|map| (map, build::store(map, object, nothing))).to_vec()))
    }

    /// What is known of objects: what was certainly written, and what perhaps.
    fn maps(&mut self) -> [Term; 2] {
        [written(), touched()].map(|map| self.context.internal(map, false))
    }

    fn bytes(&mut self, pointer: Term, length: Term) -> Bytes {
        let object = build::pointer_object(pointer);
        let is_small = match self.known_size(object) {
            Some(size) => build::bool(size <= MOST_BYTES),
            None => build::bv_ule(build::select(self.context.size_map(), object), self.offset(MOST_BYTES)),
        };
        let [start, length] = [build::pointer_offset(pointer), length].map(|number| build::zero_extend(WIDTH, number));
        Bytes { object, is_small, start, length }
    }

    /// All of a place has a value.
    pub fn has_value(&mut self, lvalue: &Lvalue) {
        if !self.context.checks.uninitialised {
            return;
        }
        match &lvalue.at {
            At::Slots { slots, .. } => slots.variables.iter().for_each(|variable| self.variable_written(*variable)),
            At::Memory(pointer) => {
                let object = build::pointer_object(*pointer);
                let stores = self.maps().map(|map| (map, build::store(map, object, all())));
                self.code.assign_all(stores.to_vec());
            }
        }
    }

    /// A variable is assigned.
    pub fn variable_written(&mut self, variable: Term) {
        if let Some(flag) = self.flags.get(&variable).copied() {
            self.code.assign(flag, build::truth());
        }
    }

    /// What a variable held is lost.
    pub fn variable_lost(&mut self, variable: Term) {
        if let Some(flag) = self.flags.get(&variable).copied() {
            self.code.assign(flag, build::falsehood());
        }
    }

    /// A variable must have been written before it is read.
    pub fn check_variable(&mut self, variable: Term) {
        if let Some(flag) = self.flags.get(&variable).copied() {
            let name = self.code.locals.iter().find(|local| local.term == variable).and_then(|local| local.user_name);
            let name = name.map_or_else(|| "a variable".to_string(), |name| format!("`{name}`"));
            self.require(UNINITIALISED, flag, &format!("{name} is read before it has a value"));
        }
    }

    /// Goes on only where all the variables of a record have values.
    pub fn require_record(&mut self, variables: &[Term]) {
        let flags: Vec<Term> = variables.iter().filter_map(|variable| self.flags.get(variable).copied()).collect();
        if !flags.is_empty() {
            self.go_on_if(build::and(flags), "a copy of a record that is not written as a whole");
        }
    }

    pub fn go_on_if(&mut self, condition: Term, otherwise: &str) {
        if condition.as_bool() == Some(true) {
            return;
        }
        let (lost, next) = (self.code.location(), self.code.location());
        self.code.branch(condition, next, lost);
        self.code.continue_at(lost);
        self.unsupported(otherwise);
        self.code.continue_at(next);
    }

    /// Variables with static storage, functions and literals have values from the start.
    fn is_begun(&self, pointer: Term) -> bool {
        !self.context.checks.uninitialised || build::pointer_object(pointer).as_bv().is_some()
    }

    /// Bytes of memory are written.
    pub fn memory_written(&mut self, pointer: Term, length: Term) {
        if !self.is_begun(pointer) {
            let ([written, touched], bytes) = (self.maps(), self.bytes(pointer, length));
            let stores = [(written, true), (touched, false)].map(|(map, is_prefix)| {
                let now = bytes.added_to(map, is_prefix);
                (map, build::store(map, bytes.object, now))
            });
            self.code.assign_all(stores.to_vec());
        }
    }

    /// Parts of bytes are written, or not all of them.
    pub fn memory_touched(&mut self, pointer: Term, length: Term) {
        if !self.is_begun(pointer) {
            let ([_, touched], bytes) = (self.maps(), self.bytes(pointer, length));
            let now = bytes.added_to(touched, false);
            self.code.assign(touched, build::store(touched, bytes.object, now));
        }
    }

    /// What is read of memory must have been written before.
    pub fn check_memory(&mut self, pointer: Term, length: Term) {
        if !self.is_begun(pointer) {
            let ([written, touched], bytes) = (self.maps(), self.bytes(pointer, length));
            self.require(UNINITIALISED, bytes.are_in(touched), "memory is read that nothing was written to");
            self.go_on_if(bytes.are_in(written), "reading a part of an object that was written in parts");
        }
    }

    /// Bytes are copied.
    pub fn memory_copied(&mut self, to: Term, from: Term, length: Term) {
        if !self.context.checks.uninitialised {
            return;
        }
        let [target, source] = [to, from].map(|pointer| self.bytes(pointer, length));
        let [written, touched] = self.maps();
        let zero = build::bv(WIDTH, 0);
        let are_begun = self.is_begun(from) || self.is_begun(to);
        let known = match are_begun {
            true => build::falsehood(),
            false => {
                let at_start = build::and([build::eq(target.start, zero), build::eq(source.start, zero)]);
                let [a, b] = [target.is_small, source.is_small];
                build::or([build::and([a, b]), build::and([build::not(a), build::not(b), at_start])])
            }
        };
        if !self.is_begun(from) {
            let complete = source.are_in(written);
            let none = build::eq(source.length, zero);
            self.go_on_if(build::or([known, complete, none]), "a copy of memory that is not written as a whole");
        }
        if self.is_begun(to) {
            return;
        }
        let stores = [(written, true), (touched, false)].map(|(map, is_prefix)| {
            let (copied, added) = (target.copied_to(map, is_prefix, &source), target.added_to(map, is_prefix));
            (map, build::store(map, target.object, build::ite(known, copied, added)))
        });
        self.code.assign_all(stores.to_vec());
    }

    /// Goes on only where bytes that are copied are written.
    pub fn require_written(&mut self, from: Term, length: Term) {
        if !self.is_begun(from) {
            let ([written, _], bytes) = (self.maps(), self.bytes(from, length));
            self.go_on_if(bytes.are_in(written), "a copy of memory that is not written as a whole");
        }
    }
}

impl Context<'_> {
    /// What there is at the start counts as written.
    pub fn initially_written(&self) -> Vec<Op> {
        let maps = [written(), touched()].into_iter().filter(|map| self.is_global(*map));
        maps.map(|map| Op::assign(map, build::const_array(map.sort(), all()))).collect()
    }
}
