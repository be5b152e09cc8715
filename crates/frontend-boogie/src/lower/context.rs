//! What the steps of lowering share.

use super::define::{Definition, Instance};
use super::modular::Reading;
use super::threads::Threads;
use crate::check::types::{Type, Types};
use crate::hir::*;
use crate::syntax::ExprId;
use crate::{Candidates, Options};
use ir::{DataModel, ProcId, Program, Property, PropertyId};
use rustc_hash::{FxHashMap, FxHashSet};
use source::{Place, SourceMap, Span, Symbol};
use term::{Sort, Term};

/// Something that cannot be expressed: what it is and where it stands.
#[derive(Clone, Debug)]
pub struct Refused {
    pub what: String,
    pub span: Span,
}

pub type Lowered<T> = Result<T, Refused>;

/// Types that stand for type parameters.
#[derive(Clone, Default, Debug)]
pub struct TypeArguments {
    pub parameters: Vec<Type>,
    pub arguments: Vec<Type>,
}

/// What expressions mean at some point.
#[derive(Clone, Default, Debug)]
pub struct Env {
    /// Locals, parameters and bound variables.
    pub variables: FxHashMap<VarId, Term>,
    pub types: TypeArguments,
    /// How `old` is understood.
    pub old: Old,
    /// How many bound variables are around.
    pub bound: u32,
}

/// What `old` means.
#[derive(Clone, Default, Debug)]
pub enum Old {
    /// There is no earlier state: `old` changes nothing.
    #[default]
    Now,
    /// We are outside `old`, in a procedure of this name; the globals inside have been saved when it was entered.
    Outside(Symbol),
    /// We are inside.
    Inside(Symbol),
}

pub struct Lowering<'a> {
    pub unit: Unit,
    pub types: Types,
    pub map: &'a SourceMap,
    pub options: &'a Options,
    pub entry: ProcedureId,
    pub program: Program,
    pub sorts: FxHashMap<Type, (Sort, u32)>,
    pub definitions: Vec<Option<Definition>>,
    /// Axioms that are no definitions.
    pub axioms: Vec<ExprId>,
    pub instances: FxHashMap<(FunctionId, Vec<Type>), Lowered<Instance>>,
    pub used: FxHashSet<FunctionId>,
    /// Recursive functions and datatypes that need axioms of their own.
    pub recursive: Vec<(FunctionId, Vec<Type>)>,
    pub datatypes: Vec<(usize, Vec<Type>)>,
    pub ordered: Vec<Sort>,
    /// How many unique constants there are of each uninterpreted sort.
    pub elements: FxHashMap<Sort, u64>,
    pub procedures: FxHashMap<(ProcedureId, Vec<Type>, Reading), ProcId>,
    /// Procedures that are mentioned, but not yet lowered.
    pub pending: Vec<(ProcId, ProcedureId, Vec<Type>, Reading)>,
    /// Whether the modular view is wanted, the variables that are candidates in it, and the bodies that it starts with.
    pub is_modular: bool,
    pub candidates: Vec<Term>,
    pub modular_bodies: Vec<ProcId>,
    pub globals: FxHashMap<VarId, Term>,
    /// The copies of globals that the procedure being lowered saves when it is entered, by global.
    pub saved: Vec<(Term, Term)>,
    pub threads: Threads,
    pub refused_axioms: Vec<Refused>,
    names: FxHashSet<Symbol>,
}

impl<'a> Lowering<'a> {
    pub fn new(
        mut unit: Unit,
        file: Symbol,
        map: &'a SourceMap,
        options: &'a Options,
        entry: ProcedureId,
    ) -> Lowering<'a> {
        let types = std::mem::take(&mut unit.types);
        let program = Program::empty(file, DataModel::Lp64);
        let mut names: FxHashSet<Symbol> = unit.globals.iter().map(|g| unit.variable(*g).name).collect();
        names.extend(unit.procedures.iter().map(|p| p.name));
        let threads = Threads::of(&unit, options);
        let mut lowering = Lowering {
            unit,
            types,
            map,
            options,
            entry,
            program,
            sorts: FxHashMap::default(),
            definitions: Vec::new(),
            axioms: Vec::new(),
            instances: FxHashMap::default(),
            used: FxHashSet::default(),
            recursive: Vec::new(),
            datatypes: Vec::new(),
            ordered: Vec::new(),
            elements: FxHashMap::default(),
            procedures: FxHashMap::default(),
            pending: Vec::new(),
            is_modular: options.candidates == Candidates::Modular,
            candidates: Vec::new(),
            modular_bodies: Vec::new(),
            globals: FxHashMap::default(),
            saved: Vec::new(),
            threads,
            refused_axioms: Vec::new(),
            names,
        };
        lowering.find_definitions();
        lowering
    }

    pub fn place(&self, span: Span) -> Place {
        self.map.place(span)
    }

    /// The text under a span, on one line and not too long.
    pub fn excerpt(&self, span: Span) -> String {
        const LONGEST: usize = 120;
        let text = String::from_utf8_lossy(self.map.slice(span)).split_whitespace().collect::<Vec<_>>().join(" ");
        match text.char_indices().nth(LONGEST) {
            Some((at, _)) => format!("{}...", &text[..at]),
            None => text,
        }
    }

    pub fn refuse<T>(&self, what: impl Into<String>, span: Span) -> Lowered<T> {
        Err(Refused { what: what.into(), span })
    }

    /// A name that no global, function or procedure has yet.
    pub fn fresh_name(&mut self, wanted: &str) -> Symbol {
        let mut name = Symbol::new(wanted);
        let mut n = 0;
        while !self.names.insert(name) {
            n += 1;
            name = Symbol::new(&format!("{wanted}!{n}"));
        }
        name
    }

    pub fn add_property(&mut self, class: &str, text: String, place: Place) -> PropertyId {
        let property = Property { class: Symbol::new(class), text: Symbol::new(&text), place: Some(place) };
        self.program.properties.push(property);
        PropertyId(self.program.properties.len() as u32 - 1)
    }

    pub fn asks_for(&self, class: &str) -> bool {
        self.options.properties.iter().any(|property| property.as_str() == class)
    }

    /// The term of a global, which is declared when it is first mentioned.
    pub fn global(&mut self, id: VarId, span: Span) -> Lowered<Term> {
        if let Some(term) = self.globals.get(&id) {
            return Ok(*term);
        }
        let variable = self.unit.variable(id).clone();
        let sort = self.sort(variable.ty, &TypeArguments::default(), span)?;
        let declared = self.declared(variable.name.as_str(), &variable, sort);
        let term = declared.term;
        self.program.globals.push(declared);
        self.globals.insert(id, term);
        Ok(term)
    }

    /// The declaration of a user's variable under a name of ours.
    pub fn declared(&self, name: &str, variable: &Variable, sort: Sort) -> ir::Variable {
        ir::Variable {
            user_name: Some(variable.name),
            user_type: Some(Symbol::new(&self.types.show(variable.ty))),
            thread_local: variable.thread_local && variable.kind == VariableKind::Global,
            place: Some(self.place(variable.span)),
            ..ir::Variable::internal(name, sort)
        }
    }
}
