//! Writing one procedure from a function's checked body.

use super::alloc::Made;
use super::code::Code;
use super::context::Context;
use super::contract::Promises;
use super::effects::Facts;
use super::first::Watched;
use super::jump::Jumps;
use super::scope::Scope;
use super::storage::{Shape, Slots, Storage, leaf_sort, leaves, value_sort};
use super::value::{RecordValue, Value};
use crate::hir::{Body, ExprId, LabelId, Local, LocalId, StmtId};
use crate::types::{Ty, Types};
use ir::{LocId, LocationKind, Op, Variable};
use rustc_hash::FxHashMap;
use source::{Span, Symbol};
use std::rc::Rc;
use term::free::Free;
use term::{Sort, Term, build};

/// The procedure that is being written, and what is known about its function.
pub(super) struct Writer<'c, 'a> {
    pub context: &'c mut Context<'a>,
    pub code: Code,
    pub unit: usize,
    pub types: &'a Types,
    pub body: &'a Body,
    pub facts: Facts,
    pub free: Free,
    /// Where parameters and variables are kept.
    pub storage: Vec<Option<Storage>>,
    pub scopes: Vec<Scope>,
    /// The calls of `setjmp`, and what may jump to them.
    pub jumps: Jumps,
    pub labels: FxHashMap<LabelId, LocId>,
    /// The blocks around each label, once somebody asked for them.
    pub label_blocks: Option<FxHashMap<LabelId, Vec<StmtId>>>,
    /// Where `break` and `continue` go, and how many scopes are open there.
    pub breaks: Vec<(LocId, usize)>,
    pub continues: Vec<(LocId, usize)>,
    /// What the places of the updates hold whose values are being computed; the innermost is the last.
    pub current: Vec<Value>,
    /// Values of expressions that were computed ahead of their turn.
    pub ahead: FxHashMap<ExprId, Value>,
    pub results: Vec<Term>,
    /// Where a record is returned that travels in memory.
    pub result_pointer: Option<Term>,
    /// The arguments behind the `...`.
    pub variable_arguments: Option<Term>,
    /// Whether nothing looks at the result of the call that is written next.
    pub is_discarded: bool,
    /// Whether the function may return without the value that it should give.
    pub may_lack_value: bool,
    /// Whether the body runs as one atomic step.
    pub is_atomic: bool,
    /// What it promises to hold when it returns.
    pub promises: Option<Rc<Promises>>,
    /// How many atomic sections of the library are open here.
    pub sections: u32,
    /// Whether an atomic operation is being written.
    pub is_synchronised: bool,
    /// The sizes of local objects, in bytes.
    pub sizes: FxHashMap<Term, u64>,
    /// Whether a variable has a value, for those where it is asked.
    pub flags: FxHashMap<Term, Term>,
}

impl<'c, 'a> Writer<'c, 'a> {
    pub fn new(
        context: &'c mut Context<'a>,
        name: Symbol,
        unit: usize,
        body: &'a Body,
        start: Option<Span>,
    ) -> Writer<'c, 'a> {
        let (start, end) = (start.and_then(|span| context.place(span)), start.and_then(|_| context.place(body.end)));
        Writer {
            code: Code::new(name, context.model, start, end),
            unit,
            types: context.types(unit),
            body,
            facts: Facts::default(),
            free: Free::new(),
            storage: vec![None; body.locals.len()],
            scopes: Vec::new(),
            jumps: Jumps::default(),
            labels: FxHashMap::default(),
            label_blocks: None,
            breaks: Vec::new(),
            continues: Vec::new(),
            current: Vec::new(),
            ahead: FxHashMap::default(),
            results: Vec::new(),
            result_pointer: None,
            variable_arguments: None,
            is_discarded: false,
            may_lack_value: false,
            is_atomic: false,
            promises: None,
            sections: 0,
            is_synchronised: false,
            sizes: FxHashMap::default(),
            flags: FxHashMap::default(),
            context,
        }
    }

    /// What is written next stands here.
    pub fn set_span(&mut self, span: Span) {
        self.code.place = self.context.place(span);
    }

    pub fn width(&self) -> u32 {
        self.context.model.pointer_width()
    }

    pub fn pointer_sort(&self) -> Sort {
        Sort::pointer(self.width())
    }

    /// Whether other threads can run between two steps.
    pub fn is_interruptible(&self) -> bool {
        self.context.threaded && !self.is_atomic && self.sections == 0
    }

    /// Whether the body is that of the function that execution starts with.
    pub fn is_entry(&self) -> bool {
        let entry = self.context.entry;
        self.context.link.body(entry).is_some_and(|body| std::ptr::eq(body, self.body))
    }

    /// A number of bytes.
    pub fn offset(&self, bytes: u64) -> Term {
        self.context.offset(bytes)
    }

    /// Control comes to something that is not supported. What is written next is unreachable.
    pub fn unsupported(&mut self, what: impl Into<Symbol>) {
        self.code.stop(LocationKind::Unsupported(what.into()));
    }

    /// A value of the type, where control never comes.
    pub fn nothing(&mut self, ty: Ty) -> Value {
        match Shape::of(self.types, ty) {
            Shape::Nothing | Shape::Unsupported(_) => Value::Void,
            Shape::Scalar(scalar) => Value::Scalar(self.code.arbitrary(value_sort(scalar, self.context.model))),
            shape @ Shape::Leaves(_) => {
                let sorts = shape.sorts(self.types);
                Value::Record(RecordValue::Leaves(sorts.into_iter().map(|sort| self.code.arbitrary(sort)).collect()))
            }
            Shape::Memory => Value::Record(RecordValue::Memory(build::null(self.width()))),
        }
    }

    /// [`Writer::unsupported`], with a value of the type.
    pub fn unsupported_value(&mut self, what: impl Into<Symbol>, ty: Ty) -> Value {
        self.unsupported(what);
        self.nothing(ty)
    }

    /// The scalar value, which must have the sort.
    pub fn expect(&mut self, value: Value, sort: Sort) -> Term {
        match value {
            Value::Scalar(term) if term.sort() == sort => term,
            _ => {
                self.unsupported("a value of an unexpected type");
                self.code.arbitrary(sort)
            }
        }
    }

    /// Whether the value of a term depends on the program's memory or global variables.
    pub fn mentions_globals(&mut self, term: Term) -> bool {
        self.free.of(term).iter().any(|variable| self.context.is_global(*variable))
    }

    /// A new local variable of the user: its leaves in variables.
    pub fn declare_slots(&mut self, local: LocalId) -> Option<Rc<Slots>> {
        let declared = &self.body[local];
        let leaves = leaves(self.types, declared.ty)?;
        let name = declared.name.map_or("$local", |name| name.as_str());
        let place = self.context.place(declared.span);
        let root = self.code.unique(name);
        let mut variables = Vec::with_capacity(leaves.len());
        for leaf in leaves.iter() {
            let (name, sort) = (format!("{root}{}", leaf.path), leaf_sort(self.types, leaf));
            let term = Term::var(name.as_str(), sort);
            let user_name = declared.name.map(|name| Symbol::new(&format!("{name}{}", leaf.path)));
            let user_type = user_name.map(|_| Symbol::new(&self.types.display(leaf.ty).to_string()));
            self.code.locals.push(Variable { user_name, user_type, place, ..Variable::internal(name.as_str(), sort) });
            self.code.watched.push(Watched { variable: term, first: Vec::new() });
            variables.push(term);
        }
        Some(Rc::new(Slots { leaves, variables }))
    }

    /// A new variable for the identity of a local object. If it can be asked for before the object is made, it is made at the
    /// start, with a size and alignment in bytes.
    pub fn declare_object(&mut self, name: &str, made: Option<(u64, u32)>) -> Term {
        let variable = self.code.internal(&format!("&{name}"), Sort::object());
        let first = match made {
            Some((size, align)) => {
                self.sizes.insert(variable, size);
                let mut made = self.context.allocation(variable, self.offset(size), align, Made::Scoped);
                made.extend(self.unwritten(variable));
                made
            }
            None => vec![Op::assign(variable, build::bv(term::OBJECT_WIDTH, 0))],
        };
        self.code.watched.push(Watched { variable, first });
        variable
    }

    /// The alignment of a local variable in bytes.
    pub fn align(&self, declared: &Local) -> u32 {
        self.types.align(declared.ty).max(declared.align.unwrap_or(1))
    }

    /// Whether a pointer certainly points to an object, wherever in it.
    pub fn is_object(&self, pointer: Term) -> bool {
        let object = build::pointer_object(pointer);
        let is_static = object.as_bv().is_some_and(|object| object.unsigned() != 0);
        is_static || ir::memory::is_scoped(object)
    }

    /// Where a local variable is kept; decided when it is first asked for.
    pub fn local(&mut self, local: LocalId) -> Storage {
        if let Some(storage) = &self.storage[local.index()] {
            return storage.clone();
        }
        let declared = &self.body[local];
        let in_memory = declared.uses.address_taken || declared.uses.indexed || declared.cleanup.is_some();
        let slots = if in_memory { None } else { self.declare_slots(local) };
        let storage = match slots {
            Some(slots) => Storage::Variables(slots),
            None => {
                let name = declared.name.map_or("$local", |name| name.as_str());
                let size = self.types.size(declared.ty).filter(|_| !declared.is_temporary);
                let made = size.map(|size| (size, self.align(declared)));
                let object = self.declare_object(name, made);
                Storage::Memory(build::pointer(object, self.offset(0)))
            }
        };
        self.storage[local.index()] = Some(storage.clone());
        storage
    }
}
