//! Random programs for property tests, here and in other crates.
//!
//! A seed and a [`Config`] determine the program, on every machine. It is valid: [`crate::validate`] accepts it. The
//! module is always compiled, so that the tests of any crate can use it without a feature; it depends on nothing that
//! the crate does not need anyway, and a binary that does not use it does not contain it.

mod body;
mod decorate;
mod signatures;
mod terms;

use crate::{
    Assumption, AssumptionKind, DataModel, Model, ObjectKind, ProcId, Procedure, Program, Property, StaticObject,
    Variable, memory,
};
use body::BodyMaker;
use source::Symbol;
use std::collections::BTreeSet;
use term::random::Random;
use term::{FloatFormat, Function, Sort, SortKind, Term};
use terms::Terms;

const FILE: &str = "random.c";

/// What kinds of program are wanted. The numbers are upper bounds.
#[derive(Clone, Debug)]
pub struct Config {
    pub data_model: DataModel,
    /// The sorts of variables and of all terms; formulas are made whether or not `Bool` is among them.
    pub sorts: Vec<Sort>,
    pub globals: usize,
    pub procedures: usize,
    /// Parameters, results and locals of a procedure, each.
    pub variables: usize,
    pub locations: usize,
    /// How deep operators are nested.
    pub depth: usize,
    pub functions: usize,
    /// Quantifiers, lambdas and axioms.
    pub quantifiers: bool,
    /// C's memory and the objects in it.
    pub memory: bool,
    /// Spawning, atomic sections, thread-local globals.
    pub threads: bool,
    /// Whether a procedure may call itself or one before it.
    pub recursion: bool,
    /// Procedures without a body.
    pub bodyless: bool,
    /// Places, labels, users' names and types, odd names, unsupported locations.
    pub decorated: bool,
}

impl Config {
    /// All sorts, operators and operations there are.
    pub fn everything(data_model: DataModel) -> Config {
        let width = data_model.pointer_width();
        let item = Sort::new(SortKind::Uninterpreted("item".into(), Vec::new()));
        let list = Sort::new(SortKind::Uninterpreted("list of".into(), vec![item, Sort::int()]));
        let mut sorts = vec![
            Sort::bool(),
            Sort::int(),
            Sort::real(),
            item,
            list,
            Sort::pointer(width),
            Sort::array(Sort::object(), Sort::bv(width)),
            Sort::array(Sort::bv(1), Sort::bool()),
            Sort::array(Sort::int(), Sort::array(item, Sort::real())),
        ];
        sorts.extend([1, 7, 8, 16, 32, 64, 80, 128].map(Sort::bv));
        let formats = [FloatFormat::HALF, FloatFormat::SINGLE, FloatFormat::DOUBLE, FloatFormat::EXTENDED];
        sorts.extend(formats.map(Sort::float));
        Config {
            data_model,
            sorts,
            globals: 8,
            procedures: 5,
            variables: 4,
            locations: 12,
            depth: 4,
            functions: 4,
            quantifiers: true,
            memory: true,
            threads: true,
            recursion: true,
            bodyless: true,
            decorated: true,
        }
    }

    /// Sequential programs over Booleans and small bit-vectors, without recursion: what every engine takes.
    pub fn scalar() -> Config {
        Config {
            sorts: vec![Sort::bool(), Sort::bv(2), Sort::bv(8)],
            globals: 3,
            procedures: 3,
            variables: 2,
            locations: 8,
            depth: 2,
            functions: 0,
            quantifiers: false,
            memory: false,
            threads: false,
            recursion: false,
            bodyless: false,
            decorated: false,
            ..Config::everything(DataModel::Ilp32)
        }
    }
}

/// The program of a seed.
pub fn program(seed: u64, config: &Config) -> Program {
    let mut config = config.clone();
    if config.memory {
        config.sorts.push(Sort::memory(config.data_model.pointer_width()));
    }
    let mut maker = Maker { rng: Random::new(seed), config, names: BTreeSet::new() };
    maker.program()
}

struct Maker {
    rng: Random,
    config: Config,
    /// The names that variables and functions have already.
    names: BTreeSet<Symbol>,
}

impl Maker {
    fn program(&mut self) -> Program {
        let globals = self.globals();
        let functions = self.functions();
        let (mut procedures, with_body) = self.procedures();
        let objects = if self.config.memory { self.objects(procedures.len()) } else { Vec::new() };
        let properties: Vec<Property> = (0..self.rng.below(4)).map(|_| self.property()).collect();

        // Some sorts have no term without variables, so not all formulas can be made without them.
        let closed: Vec<Sort> = self.config.sorts.iter().copied().filter(|s| !is_memory(*s)).collect();
        let mut closed_terms = Terms::new(&closed, &functions, self.config.quantifiers);
        let count = if self.config.quantifiers { self.rng.below(3) } else { 0 };
        let axiom = |_| closed_terms.term(&mut self.rng, &mut Vec::new(), Sort::bool(), self.config.depth);
        let axioms = (0..count).map(axiom).collect();

        let mut terms = Terms::new(&self.config.sorts, &functions, self.config.quantifiers);
        for &owner in &with_body {
            let own = &procedures[owner];
            let local = own.parameters.iter().chain(&own.results).chain(&own.locals);
            let mut maker = BodyMaker {
                variables: globals.iter().chain(local).map(|v| v.term).collect(),
                rng: &mut self.rng,
                terms: &mut terms,
                config: &self.config,
                procedures: &procedures,
                owner,
                properties: properties.len(),
            };
            let body = maker.cfa();
            procedures[owner].body = Ok(body);
        }
        Program {
            file: FILE.into(),
            data_model: self.config.data_model,
            globals,
            objects,
            functions,
            axioms,
            procedures,
            entry: ProcId(*if self.config.decorated { self.rng.pick(&with_body) } else { &0 } as u32),
            properties,
            assumptions: self.assumptions(),
        }
    }

    fn globals(&mut self) -> Vec<Variable> {
        let mut globals = self.variables("g", self.config.globals);
        for global in &mut globals {
            global.thread_local = self.config.threads && self.rng.once_in(5);
        }
        if self.config.memory {
            let model = self.config.data_model;
            let parts = [memory::memory(model), memory::next(), memory::size(model), memory::alive()];
            for term in parts.into_iter().chain([memory::dynamic(), memory::base(model)]) {
                globals.push(Variable {
                    term,
                    ..Variable::internal(term.name().expect("a variable has a name"), term.sort())
                });
            }
        }
        globals
    }

    fn variables(&mut self, prefix: &str, count: usize) -> Vec<Variable> {
        let count = self.rng.below(count + 1);
        (0..count).map(|_| self.variable(prefix)).collect()
    }

    fn variable(&mut self, prefix: &str) -> Variable {
        let sort = loop {
            // Memory is one variable only.
            let sort = *self.rng.pick(&self.config.sorts);
            if !is_memory(sort) {
                break sort;
            }
        };
        let name = self.fresh(prefix);
        if !self.config.decorated {
            return Variable::internal(name, sort);
        }
        let rng = &mut self.rng;
        Variable {
            term: Term::var(name, sort),
            user_name: rng.once_in(2).then(|| decorate::name(rng)),
            user_type: rng.once_in(2).then(|| decorate::user_type(rng)),
            thread_local: false,
            never_set: rng.once_in(6),
            place: decorate::place(rng, &self.config),
        }
    }

    /// A name that nothing else has.
    fn fresh(&mut self, prefix: &str) -> Symbol {
        if self.config.decorated && self.rng.once_in(6) {
            let odd = decorate::name(&mut self.rng);
            if self.names.insert(odd) {
                return odd;
            }
        }
        let name = Symbol::new(&format!("{prefix}{}", self.names.len()));
        self.names.insert(name);
        name
    }

    fn functions(&mut self) -> Vec<Function> {
        let sorts: Vec<Sort> = self.config.sorts.iter().copied().filter(|s| !is_memory(*s)).collect();
        let count = self.rng.below(self.config.functions + 1);
        let function = |_| {
            let parameters = (0..self.rng.below(4)).map(|_| *self.rng.pick(&sorts)).collect();
            Function { name: self.fresh("f"), parameters, result: *self.rng.pick(&sorts) }
        };
        (0..count).map(function).collect()
    }

    /// The procedures without their bodies, and the numbers of those that shall have one.
    fn procedures(&mut self) -> (Vec<Procedure>, Vec<usize>) {
        let mut names = BTreeSet::new();
        let mut with_body = Vec::new();
        let mut procedures = Vec::new();
        for id in 0..1 + self.rng.below(self.config.procedures.max(1)) {
            let bodyless = id > 0 && self.config.bodyless && self.rng.once_in(3);
            if !bodyless {
                with_body.push(id);
            }
            let odd = decorate::name(&mut self.rng);
            let odd = (self.config.decorated && self.rng.once_in(4) && names.insert(odd)).then_some(odd);
            let name = odd.unwrap_or_else(|| Symbol::new(&format!("p{id}")));
            let prefix = format!("{name}::x");
            procedures.push(Procedure {
                name,
                parameters: self.variables(&prefix, self.config.variables),
                variadic: bodyless && self.rng.once_in(2),
                results: self.variables(&prefix, self.config.variables.min(2)),
                locals: if bodyless { Vec::new() } else { self.variables(&prefix, self.config.variables) },
                body: Err(if self.rng.once_in(2) { Model::Benign } else { Model::Unknown }),
                place: decorate::place(&mut self.rng, &self.config),
            });
        }
        (procedures, with_body)
    }

    fn objects(&mut self, procedures: usize) -> Vec<StaticObject> {
        let count = self.rng.below(6);
        let object = |_| StaticObject {
            name: decorate::name(&mut self.rng),
            kind: match self.rng.below(3) {
                0 => ObjectKind::Variable,
                1 => ObjectKind::Literal,
                _ => ObjectKind::Function(ProcId(self.rng.below(procedures) as u32)),
            },
            size: self.rng.below(100) as u64,
            place: decorate::place(&mut self.rng, &self.config),
        };
        (0..count).map(object).collect()
    }

    fn assumptions(&mut self) -> Vec<Assumption> {
        let count = if self.config.decorated { self.rng.below(3) } else { 0 };
        (0..count).map(|_| self.assumption()).collect()
    }

    fn assumption(&mut self) -> Assumption {
        let names = ["f", "two words", "g::h"];
        Assumption {
            kind: *self.rng.pick(&AssumptionKind::ALL),
            text: decorate::user_type(&mut self.rng),
            functions: (0..self.rng.below(3)).map(|_| Symbol::new(names[self.rng.below(names.len())])).collect(),
            place: decorate::place(&mut self.rng, &self.config),
        }
    }

    fn property(&mut self) -> Property {
        let class = *self.rng.pick(&["unreach-call", "no-overflow", "valid-deref"]);
        Property {
            class: class.into(),
            text: decorate::user_type(&mut self.rng),
            place: decorate::place(&mut self.rng, &self.config),
        }
    }
}

fn is_memory(sort: Sort) -> bool {
    matches!(sort.kind(), SortKind::Memory(_))
}
