//! Terms to Z3's terms, each node once.
//!
//! Z3 names constants and functions by numbers, which index `names`: so different terms never share a name, and a name
//! leads back to its term. Bound variables are constants first; Z3 abstracts them when it makes the binder.

use super::context::{Ast, Context, FuncDecl, Z3Error};
use super::{float, ops};
use crate::Unsupported;
use rustc_hash::FxHashMap;
use std::rc::Rc;
use term::{Function, Op, Sort, SortKind, Term, Value, visit};
use z3_sys::*;

/// What a name in Z3 stands for.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Name {
    Variable(Term),
    Function(Function),
    Sort(Sort),
    /// The n-th element of a user's sort.
    Element(Sort, u64),
    /// The number of an element: what keeps elements apart.
    ElementNumber(Sort),
    /// A Boolean of this crate's own.
    Fresh,
}

pub(super) struct Translator {
    context: Rc<Context>,
    memo: FxHashMap<Term, Ast>,
    sorts: FxHashMap<Sort, Ast>,
    names: Vec<Name>,
    numbers: FxHashMap<Name, usize>,
    /// What is true of the translation's own symbols. Every solver must assert all of it.
    axioms: Vec<Ast>,
    /// The elements of users' sorts that occur in terms.
    elements: FxHashMap<Sort, Vec<Element>>,
}

/// An element of a user's sort: its number, the constant that it is in Z3, and the axiom that numbers it.
#[derive(Clone)]
pub(super) struct Element {
    pub number: u64,
    pub constant: Ast,
    pub axiom: usize,
}

impl From<Z3Error> for Unsupported {
    fn from(error: Z3Error) -> Unsupported {
        Unsupported { what: format!("a term: {}", error.0) }
    }
}

pub(super) type Translated = Result<Ast, Unsupported>;

impl Translator {
    pub fn new(context: Rc<Context>) -> Translator {
        Translator {
            context,
            memo: FxHashMap::default(),
            sorts: FxHashMap::default(),
            names: Vec::new(),
            numbers: FxHashMap::default(),
            axioms: Vec::new(),
            elements: FxHashMap::default(),
        }
    }

    pub fn context(&self) -> &Rc<Context> {
        &self.context
    }

    pub fn axioms(&self) -> &[Ast] {
        &self.axioms
    }

    /// The elements of a user's sort that occur in terms.
    pub fn elements(&self, sort: Sort) -> &[Element] {
        self.elements.get(&sort).map_or(&[], Vec::as_slice)
    }

    /// Whether the first so many axioms speak of all elements of users' sorts in a term that was translated.
    pub fn covered(&self, term: Term, axioms: usize) -> bool {
        let known = |(sort, number): (Sort, u64)| {
            self.elements(sort).iter().any(|element| element.number == number && element.axiom < axioms)
        };
        axioms >= self.axioms.len()
            || visit::post_order([term])
                .into_iter()
                .filter_map(Term::value)
                .all(|value| elements_of(value).into_iter().all(known))
    }

    /// What a number in a Z3 symbol stands for.
    pub fn name(&self, number: usize) -> Option<&Name> {
        self.names.get(number)
    }

    /// The Z3 term for a term. Works on an explicit stack: terms may be deep.
    pub fn term(&mut self, root: Term) -> Translated {
        if let Some(known) = self.memo.get(&root) {
            return Ok(known.clone());
        }
        let mut stack = vec![root];
        let mut args = Vec::new();
        while let Some(&term) = stack.last() {
            if self.memo.contains_key(&term) {
                stack.pop();
                continue;
            }
            args.clear();
            let height = stack.len();
            for arg in term.args() {
                match self.memo.get(arg) {
                    Some(known) => args.push(known.clone()),
                    None => stack.push(*arg),
                }
            }
            if stack.len() == height {
                let made = self.node(term, &args)?;
                self.memo.insert(term, made);
                stack.pop();
            }
        }
        self.memo.get(&root).cloned().ok_or_else(|| unsupported("a term"))
    }

    fn node(&mut self, term: Term, args: &[Ast]) -> Translated {
        match term.op() {
            Op::Const(value) => self.constant(value),
            Op::Var { sort, .. } => self.named(Name::Variable(term), *sort),
            Op::Apply(function) => self.apply(function, args),
            Op::ConstArray(sort) => {
                let SortKind::Array(index, _) = sort.kind() else { return Err(unsupported(&sort.to_string())) };
                let index = self.sort(*index)?;
                // SAFETY: all objects belong to the context.
                self.own(unsafe { Z3_mk_const_array(self.context.raw(), as_sort(&index), args[0].raw()) })
            }
            Op::Forall(bound) => self.quantifier(true, bound, args),
            Op::Exists(bound) => self.quantifier(false, bound, args),
            Op::Lambda(bound) => {
                let bound = self.bound(bound)?;
                let apps: Vec<Z3_app> = bound.iter().map(|b| self.as_app(b)).collect::<Result<_, _>>()?;
                // SAFETY: all objects belong to the context; the array has as many elements as it says.
                self.own(unsafe {
                    Z3_mk_lambda_const(self.context.raw(), apps.len() as u32, apps.as_ptr(), args[0].raw())
                })
            }
            _ => ops::apply(self, term, args),
        }
    }

    /// Takes what a call has just returned.
    pub fn own(&self, raw: Option<Z3_ast>) -> Translated {
        Ok(Ast::own(&self.context, raw)?)
    }

    /// The Z3 sort, as the term of Z3's that it is.
    pub fn sort(&mut self, sort: Sort) -> Translated {
        if let Some(known) = self.sorts.get(&sort) {
            return Ok(known.clone());
        }
        let parts: Vec<Ast> = match sort.kind() {
            SortKind::Array(index, element) => vec![self.sort(*index)?, self.sort(*element)?],
            _ => Vec::new(),
        };
        let c = self.context.raw();
        // SAFETY: all objects belong to the context; a sort is counted as the term that it is.
        let raw = unsafe {
            match sort.kind() {
                SortKind::Bool => Z3_mk_bool_sort(c),
                SortKind::Int => Z3_mk_int_sort(c),
                SortKind::Real => Z3_mk_real_sort(c),
                SortKind::BitVec(width) => Z3_mk_bv_sort(c, *width),
                SortKind::Pointer(width) => Z3_mk_bv_sort(c, term::OBJECT_WIDTH + width),
                SortKind::Float(format) => Z3_mk_fpa_sort(c, format.exponent, format.significand),
                SortKind::Array(..) => Z3_mk_array_sort(c, as_sort(&parts[0]), as_sort(&parts[1])),
                SortKind::Uninterpreted(..) => {
                    let number = self.number(Name::Sort(sort));
                    Z3_mk_uninterpreted_sort(c, self.context.symbol(number)?)
                }
                SortKind::Memory(_) => return Err(unsupported("memory, which is no first-order value")),
            }
        };
        // SAFETY: as above.
        let made = self.own(raw.and_then(|s| unsafe { Z3_sort_to_ast(c, s) }))?;
        self.sorts.insert(sort, made.clone());
        Ok(made)
    }

    /// The number that stands for a name in symbols.
    fn number(&mut self, name: Name) -> usize {
        if let Some(known) = self.numbers.get(&name) {
            return *known;
        }
        let number = self.names.len();
        self.names.push(name.clone());
        self.numbers.insert(name, number);
        number
    }

    fn named(&mut self, name: Name, sort: Sort) -> Translated {
        let number = self.number(name);
        self.numbered(number, sort)
    }

    fn numbered(&mut self, number: usize, sort: Sort) -> Translated {
        let sort = self.sort(sort)?;
        let symbol = self.context.symbol(number)?;
        // SAFETY: all objects belong to the context.
        self.own(unsafe { Z3_mk_const(self.context.raw(), symbol, as_sort(&sort)) })
    }

    /// A Boolean that nothing else uses.
    pub fn fresh(&mut self) -> Translated {
        let number = self.names.len();
        self.names.push(Name::Fresh);
        self.numbered(number, Sort::bool())
    }

    /// A predicate that nothing else uses.
    pub fn fresh_predicate(&mut self, parameters: &[Sort]) -> Result<FuncDecl, Unsupported> {
        let number = self.names.len();
        self.names.push(Name::Fresh);
        let symbol = self.context.symbol(number)?;
        let domain: Vec<Ast> = parameters.iter().map(|s| self.sort(*s)).collect::<Result<_, _>>()?;
        let domain: Vec<Z3_sort> = domain.iter().map(as_sort).collect();
        let range = self.sort(Sort::bool())?;
        // SAFETY: all objects belong to the context; the array has as many elements as the call says.
        let made = unsafe {
            Z3_mk_func_decl(self.context.raw(), symbol, domain.len() as u32, domain.as_ptr(), as_sort(&range))
        };
        Ok(FuncDecl::own(&self.context, made)?)
    }

    fn apply(&mut self, function: &Function, args: &[Ast]) -> Translated {
        let number = self.number(Name::Function(function.clone()));
        self.call(number, &function.parameters, function.result, args)
    }

    fn call(&mut self, number: usize, parameters: &[Sort], result: Sort, args: &[Ast]) -> Translated {
        let symbol = self.context.symbol(number)?;
        let domain: Vec<Ast> = parameters.iter().map(|s| self.sort(*s)).collect::<Result<_, _>>()?;
        let domain: Vec<Z3_sort> = domain.iter().map(as_sort).collect();
        let range = self.sort(result)?;
        let args: Vec<Z3_ast> = args.iter().map(Ast::raw).collect();
        let c = self.context.raw();
        // SAFETY: all objects belong to the context; the arrays have as many elements as the calls say; the
        // declaration is used before another call could free it.
        self.own(unsafe {
            let declaration = Z3_mk_func_decl(c, symbol, domain.len() as u32, domain.as_ptr(), as_sort(&range))
                .ok_or_else(|| self.context.error())?;
            Z3_mk_app(c, declaration, args.len() as u32, args.as_ptr())
        })
    }

    fn bound(&mut self, variables: &[Term]) -> Result<Vec<Ast>, Unsupported> {
        variables.iter().map(|variable| self.term(*variable)).collect()
    }

    fn as_app(&self, constant: &Ast) -> Result<Z3_app, Unsupported> {
        // SAFETY: the term is alive.
        unsafe { Z3_to_app(self.context.raw(), constant.raw()) }.ok_or_else(|| self.context.error().into())
    }

    /// The body is the first argument, triggers follow. Triggers are hints: those that Z3 rejects are left out.
    fn quantifier(&mut self, forall: bool, variables: &[Term], args: &[Ast]) -> Translated {
        let bound = self.bound(variables)?;
        let apps: Vec<Z3_app> = bound.iter().map(|b| self.as_app(b)).collect::<Result<_, _>>()?;
        let c = self.context.raw();
        let make = |patterns: &[Z3_pattern]| {
            // SAFETY: all objects belong to the context; the arrays have as many elements as the call says.
            unsafe {
                let (bounds, triggers) = (apps.len() as u32, patterns.len() as u32);
                Z3_mk_quantifier_const(c, forall, 1, bounds, apps.as_ptr(), triggers, patterns.as_ptr(), args[0].raw())
            }
        };
        let triggers: Vec<Ast> = args[1..]
            .iter()
            .filter_map(|trigger| {
                // SAFETY: the trigger belongs to the context; a pattern is counted as the term that it is.
                let pattern =
                    unsafe { Z3_mk_pattern(c, 1, &trigger.raw()).and_then(|pattern| Z3_pattern_to_ast(c, pattern)) };
                self.own(pattern).ok()
            })
            .collect();
        // SAFETY: these terms of Z3's are patterns, made above; the types are one in Z3.
        let patterns: Vec<Z3_pattern> = triggers.iter().map(|t| t.raw().cast()).collect();
        match self.own(make(&patterns)) {
            Err(_) if !patterns.is_empty() => self.own(make(&[])),
            made => made,
        }
    }

    pub fn constant(&mut self, value: &Value) -> Translated {
        let sort = self.sort(value.sort())?;
        match value {
            Value::Bool(b) => {
                let c = self.context.raw();
                // SAFETY: the context is alive.
                self.own(unsafe { if *b { Z3_mk_true(c) } else { Z3_mk_false(c) } })
            }
            Value::Int(n) => match i64::try_from(n) {
                // SAFETY: all objects belong to the context.
                Ok(small) => self.own(unsafe { Z3_mk_int64(self.context.raw(), small, as_sort(&sort)) }),
                Err(_) => self.numeral(&n.to_string(), &sort),
            },
            Value::Real(r) => self.numeral(&r.to_string(), &sort),
            Value::Bv(bv) => self.bits(bv.unsigned(), &sort),
            Value::Pointer { object, offset } => {
                self.bits(u128::from(*object) << offset.width() | offset.unsigned(), &sort)
            }
            Value::Float(format, pattern) => float::constant(self, *format, *pattern),
            Value::Array(array) => {
                let index = self.sort(array.index)?;
                let default = self.constant(&array.default)?;
                let c = self.context.raw();
                // SAFETY: all objects belong to the context.
                let mut made = self.own(unsafe { Z3_mk_const_array(c, as_sort(&index), default.raw()) })?;
                for (at, element) in &array.entries {
                    let (at, element) = (self.constant(at)?, self.constant(element)?);
                    // SAFETY: all objects belong to the context.
                    made = self.own(unsafe { Z3_mk_store(c, made.raw(), at.raw(), element.raw()) })?;
                }
                Ok(made)
            }
            Value::Element(sort, number) => self.element(*sort, *number),
        }
    }

    pub fn numeral(&self, text: &str, sort: &Ast) -> Translated {
        let text = std::ffi::CString::new(text).map_err(|_| unsupported("a numeral"))?;
        // SAFETY: all objects belong to the context; the text ends with a zero byte.
        self.own(unsafe { Z3_mk_numeral(self.context.raw(), text.as_ptr(), as_sort(sort)) })
    }

    /// A bit-vector constant.
    pub fn bits(&self, bits: u128, sort: &Ast) -> Translated {
        match u64::try_from(bits) {
            // SAFETY: all objects belong to the context.
            Ok(small) => self.own(unsafe { Z3_mk_unsigned_int64(self.context.raw(), small, as_sort(sort)) }),
            Err(_) => self.numeral(&bits.to_string(), sort),
        }
    }

    /// The n-th element of a user's sort: a constant, kept apart from the others by an axiom that numbers it.
    fn element(&mut self, sort: Sort, number: u64) -> Translated {
        let name = Name::Element(sort, number);
        let known = self.numbers.contains_key(&name);
        let constant = self.named(name, sort)?;
        if !known {
            let function = self.number(Name::ElementNumber(sort));
            let index = self.call(function, &[sort], Sort::int(), std::slice::from_ref(&constant))?;
            let number_term = self.constant(&Value::Int(number.into()))?;
            // SAFETY: all objects belong to the context.
            let axiom = self.own(unsafe { Z3_mk_eq(self.context.raw(), index.raw(), number_term.raw()) })?;
            let element = Element { number, constant: constant.clone(), axiom: self.axioms.len() };
            self.axioms.push(axiom);
            self.elements.entry(sort).or_default().push(element);
        }
        Ok(constant)
    }
}

/// The sort that a term of Z3's made by [`Translator::sort`] is.
pub(super) fn as_sort(sort: &Ast) -> Z3_sort {
    // The two types are one in Z3: sorts are terms.
    sort.raw().cast()
}

/// The elements of users' sorts that a value has in it.
fn elements_of(value: &Value) -> Vec<(Sort, u64)> {
    match value {
        Value::Element(sort, number) => vec![(*sort, *number)],
        Value::Array(array) => {
            let entries = array.entries.iter().flat_map(|(index, element)| [index, element]);
            entries.chain([&array.default]).flat_map(elements_of).collect()
        }
        _ => Vec::new(),
    }
}

pub(super) fn unsupported(what: &str) -> Unsupported {
    Unsupported { what: what.to_string() }
}
