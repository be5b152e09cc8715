//! Whether what is read was written before.
//!
//! A local variable that is kept in IR variables has a flag for each of them. Of an object in memory two things are
//! known: whether all of it was written, by one step or by its initialiser, and whether anything was. What is read of an
//! object of which nothing was written is a violation. Of one that was written in part it is not known: going on there is
//! not supported. So it is when a record is copied that is not written as a whole, which C allows.
//!
//! What starts with arbitrary contents that nobody forgot to write (arguments of the program, inputs) counts as written, as
//! do variables with static storage, which start with zeros. Only declarations without initialiser and memory from `malloc`
//! and its like are begun here.
//!
//! A function that may return without the value that it should give says whether it did; a call whose value is used asks.

use super::checks::UNINITIALISED;
use super::first::Watched;
use super::place::{At, Lvalue};
use super::writer::Writer;
use ir::Op;
use source::Symbol;
use term::{Sort, Term, build};

/// Which objects were written as a whole.
pub(super) fn complete() -> Term {
    Term::var("$complete", Sort::array(Sort::object(), Sort::bool()))
}

/// To which objects something was written.
pub(super) fn written() -> Term {
    Term::var("$written", Sort::array(Sort::object(), Sort::bool()))
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
        let maps = [self.complete_map(), self.written_map()];
        Some(Op::Assign(maps.map(|map| (map, build::store(map, object, build::falsehood()))).to_vec()))
    }

    fn complete_map(&mut self) -> Term {
        self.context.internal(complete(), false)
    }

    fn written_map(&mut self) -> Term {
        self.context.internal(written(), false)
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
                let (complete, written) = (self.complete_map(), self.written_map());
                let all = [complete, written].map(|map| (map, build::store(map, object, build::truth())));
                self.code.assign_all(all.to_vec());
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

    /// Bytes of memory are written. Parts of a byte make no object complete.
    pub fn memory_written(&mut self, pointer: Term, size: Option<Term>) {
        if self.is_begun(pointer) {
            return;
        }
        let object = build::pointer_object(pointer);
        let (complete, written, sizes) = (self.complete_map(), self.written_map(), self.context.size_map());
        let mut stores = vec![(written, build::store(written, object, build::truth()))];
        if let Some(size) = size {
            let all = build::bv_ule(build::select(sizes, object), size);
            let before = build::select(complete, object);
            stores.push((complete, build::store(complete, object, build::or([before, all]))));
        }
        self.code.assign_all(stores);
    }

    /// What is read of memory must have been written before.
    pub fn check_memory(&mut self, pointer: Term) {
        if self.is_begun(pointer) {
            return;
        }
        let object = build::pointer_object(pointer);
        let (complete, written) = (self.complete_map(), self.written_map());
        let (complete, written) = (build::select(complete, object), build::select(written, object));
        self.require(UNINITIALISED, build::or([complete, written]), "memory is read that nothing was written to");
        self.go_on_if(complete, "reading a part of an object that was written in parts");
    }

    /// Bytes are copied: they must be known to be written, for the copy is taken to be.
    pub fn memory_copied(&mut self, to: Term, from: Term, length: Term) {
        if !self.context.checks.uninitialised {
            return;
        }
        let none = build::eq(length, self.offset(0));
        self.require_complete(from, none);
        self.memory_written(to, Some(length));
    }

    /// Goes on only where an object is written as a whole, or something else makes that unnecessary.
    pub fn require_complete(&mut self, from: Term, or: Term) {
        if self.is_begun(from) {
            return;
        }
        let complete = self.complete_map();
        let known = build::select(complete, build::pointer_object(from));
        self.go_on_if(build::or([known, or]), "a copy of memory that is not written as a whole");
    }
}
