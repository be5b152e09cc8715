//! Z3's values back to ours.

use super::context::{Ast, Entry, Interpretation, Model};
use super::float;
use super::translate::{Name, Translator};
use dashu::integer::IBig;
use dashu::rational::RBig;
use rustc_hash::FxHashMap;
use std::sync::Arc;
use term::{ArrayValue, Bv, Sort, SortKind, Term, Value};
use z3_sys::*;

/// A model with the numbering of users' elements that goes with it.
pub(super) struct Reader {
    model: Model,
    /// The numbers given so far to each sort's elements, by Z3's identity of the element.
    elements: FxHashMap<Sort, Vec<(Ast, u64)>>,
    /// How many of the translator's axioms the model is known to satisfy.
    axioms: usize,
}

impl Reader {
    pub fn new(model: Model, axioms: usize) -> Reader {
        Reader { model, elements: FxHashMap::default(), axioms }
    }

    /// The value of a term. What the model leaves open is chosen, and stays chosen.
    pub fn value(&mut self, translator: &mut Translator, term: Term) -> Option<Value> {
        let ast = translator.term(term).ok()?;
        if !translator.covered(term, self.axioms) {
            return None;
        }
        let evaluated = self.evaluate(translator, &ast)?;
        self.read(translator, &evaluated, term.sort())
    }

    fn evaluate(&self, translator: &Translator, ast: &Ast) -> Option<Ast> {
        let mut result = ast.raw();
        // SAFETY: model and term belong to the context; the result is counted before another call.
        let done = unsafe { Z3_model_eval(translator.context().raw(), self.model.raw(), ast.raw(), true, &mut result) };
        done.then(|| Ast::own(translator.context(), Some(result)).ok()).flatten()
    }

    /// Reads a term of Z3's that is a value.
    fn read(&mut self, translator: &mut Translator, ast: &Ast, sort: Sort) -> Option<Value> {
        let c = translator.context().raw();
        match sort.kind() {
            // SAFETY: the term belongs to the context.
            SortKind::Bool => match unsafe { Z3_get_bool_value(c, ast.raw()) } {
                Z3_L_TRUE => Some(Value::Bool(true)),
                Z3_L_FALSE => Some(Value::Bool(false)),
                _ => None,
            },
            SortKind::Int => numeral(translator, ast)?.parse::<IBig>().ok().map(Value::Int),
            SortKind::Real => rational(&numeral(translator, ast)?).map(Value::Real),
            SortKind::BitVec(width) => Some(Value::bv(*width, bits(translator, ast)?)),
            SortKind::Pointer(width) => {
                let bits = bits(translator, ast)?;
                Some(Value::Pointer { object: (bits >> width) as u32, offset: Bv::new(*width, bits) })
            }
            SortKind::Float(format) => {
                let pattern = float::pattern(translator, *format, ast).ok()?;
                // SAFETY: the term belongs to the context.
                let pattern = unsafe { Z3_simplify(c, pattern.raw()) };
                let pattern = Ast::own(translator.context(), pattern).ok()?;
                Some(Value::Float(*format, bits(translator, &pattern)?))
            }
            SortKind::Array(index, element) => {
                self.array(translator, ast, *index, *element).map(|array| Value::Array(Arc::new(array)))
            }
            SortKind::Uninterpreted(..) => self.element(translator, ast, sort),
            SortKind::Memory(_) => None,
        }
    }

    /// Reads stores over a constant array, or an array given by a function's table.
    fn array(&mut self, translator: &mut Translator, ast: &Ast, index: Sort, element: Sort) -> Option<ArrayValue> {
        let mut stores = Vec::new();
        let mut at = ast.clone();
        let mut array = loop {
            let (kind, args) = application(translator, &at)?;
            match (kind, &args[..]) {
                (DeclKind::Store, [inner, i, e]) => {
                    stores.push((self.read(translator, i, index)?, self.read(translator, e, element)?));
                    at = inner.clone();
                }
                (DeclKind::ConstArray, [e]) => break ArrayValue::constant(index, self.read(translator, e, element)?),
                (DeclKind::AsArray, []) => break self.table(translator, &at, index, element)?,
                _ => return None,
            }
        };
        // The outermost store was met first and wins.
        for (i, e) in stores.into_iter().rev() {
            array.set(i, e);
        }
        Some(array)
    }

    fn table(&mut self, translator: &mut Translator, ast: &Ast, index: Sort, element: Sort) -> Option<ArrayValue> {
        let context = translator.context().clone();
        let c = context.raw();
        // SAFETY: all objects belong to the context, are counted at once, and indices are below the sizes.
        let interpretation = unsafe {
            let function = Z3_get_as_array_func_decl(c, ast.raw())?;
            Interpretation::own(&context, Z3_model_get_func_interp(c, self.model.raw(), function)).ok()?
        };
        let otherwise = Ast::own(&context, unsafe { Z3_func_interp_get_else(c, interpretation.raw()) }).ok()?;
        let mut array = ArrayValue::constant(index, self.read(translator, &otherwise, element)?);
        for n in 0..unsafe { Z3_func_interp_get_num_entries(c, interpretation.raw()) } {
            let entry = Entry::own(&context, unsafe { Z3_func_interp_get_entry(c, interpretation.raw(), n) }).ok()?;
            let i = Ast::own(&context, unsafe { Z3_func_entry_get_arg(c, entry.raw(), 0) }).ok()?;
            let e = Ast::own(&context, unsafe { Z3_func_entry_get_value(c, entry.raw()) }).ok()?;
            array.set(self.read(translator, &i, index)?, self.read(translator, &e, element)?);
        }
        Some(array)
    }

    /// The number of a user's element: its own if a term names it, otherwise the next one free.
    fn element(&mut self, translator: &mut Translator, ast: &Ast, sort: Sort) -> Option<Value> {
        if !self.elements.contains_key(&sort) {
            let named = translator.elements(sort).iter().filter(|element| element.axiom < self.axioms);
            let valued = named.filter_map(|e| Some((self.evaluate(translator, &e.constant)?, e.number))).collect();
            self.elements.insert(sort, valued);
        }
        let known = self.elements.get_mut(&sort)?;
        let number = match known.iter().find(|(element, _)| element == ast) {
            Some((_, number)) => *number,
            None => {
                let free = (0..).find(|n| known.iter().all(|(_, used)| used != n))?;
                known.push((ast.clone(), free));
                free
            }
        };
        Some(Value::Element(sort, number))
    }
}

/// The operator and arguments of an application.
pub(super) fn application(translator: &Translator, ast: &Ast) -> Option<(DeclKind, Vec<Ast>)> {
    let context = translator.context();
    let c = context.raw();
    // SAFETY: all objects belong to the context; indices are below the number of arguments.
    unsafe {
        if !Z3_is_app(c, ast.raw()) {
            return None;
        }
        let app = Z3_to_app(c, ast.raw())?;
        let kind = Z3_get_decl_kind(c, Z3_get_app_decl(c, app)?);
        let args = (0..Z3_get_app_num_args(c, app)).map(|i| Ast::own(context, Z3_get_app_arg(c, app, i)).ok());
        Some((kind, args.collect::<Option<_>>()?))
    }
}

/// What a constant or function of Z3's is named for.
pub(super) fn name_of<'t>(translator: &'t Translator, ast: &Ast) -> Option<&'t Name> {
    let c = translator.context().raw();
    // SAFETY: all objects belong to the context.
    let number = unsafe {
        let symbol = Z3_get_decl_name(c, Z3_get_app_decl(c, Z3_to_app(c, ast.raw())?)?)?;
        if Z3_get_symbol_kind(c, symbol) != z3_sys::SymbolKind::Int {
            return None;
        }
        Z3_get_symbol_int(c, symbol)
    };
    translator.name(usize::try_from(number).ok()?)
}

/// The value of a numeral, by Z3's sort.
pub(super) fn numeral_value(translator: &Translator, ast: &Ast) -> Option<Value> {
    let c = translator.context().raw();
    // SAFETY: all objects belong to the context.
    let (kind, width) = unsafe {
        let sort = Z3_get_sort(c, ast.raw())?;
        match Z3_get_sort_kind(c, sort) {
            kind @ z3_sys::SortKind::Bv => (kind, Z3_get_bv_sort_size(c, sort)),
            kind => (kind, 0),
        }
    };
    match kind {
        z3_sys::SortKind::Int => numeral(translator, ast)?.parse::<IBig>().ok().map(Value::Int),
        z3_sys::SortKind::Real => rational(&numeral(translator, ast)?).map(Value::Real),
        z3_sys::SortKind::Bv if width <= term::MAX_WIDTH => Some(Value::bv(width, bits(translator, ast)?)),
        _ => None,
    }
}

/// A numeral's digits.
fn numeral(translator: &Translator, ast: &Ast) -> Option<String> {
    let context = translator.context();
    // SAFETY: the term belongs to the context; the string is copied at once.
    unsafe {
        if !Z3_is_numeral_ast(context.raw(), ast.raw()) {
            return None;
        }
        Some(context.text(Z3_get_numeral_string(context.raw(), ast.raw())))
    }
}

/// Reads a fraction as Z3 writes it: `-1/3`.
fn rational(text: &str) -> Option<RBig> {
    match text.split_once('/') {
        None => Some(RBig::from(text.trim().parse::<IBig>().ok()?)),
        Some((above, below)) => {
            let (above, below) = (above.trim().parse::<IBig>().ok()?, below.trim().parse::<IBig>().ok()?);
            (below != IBig::ZERO).then(|| RBig::from(above) / RBig::from(below))
        }
    }
}

fn bits(translator: &Translator, ast: &Ast) -> Option<u128> {
    let mut small = 0u64;
    // SAFETY: the term belongs to the context, and the number is written to a place of ours.
    if unsafe { Z3_get_numeral_uint64(translator.context().raw(), ast.raw(), &mut small) } {
        return Some(u128::from(small));
    }
    numeral(translator, ast)?.parse().ok()
}
