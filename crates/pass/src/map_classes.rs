//! Classes of maps: maps are in one class if one flows into the other as a whole.
//!
//! Maps of a class that is not *refused* are only read, stored to, chosen between, copied and made arbitrary. Whoever keeps certain
//! elements of maps instead of maps must keep the same ones in a class.

use ir::{Op, Program, Variable};
use rustc_hash::{FxHashMap, FxHashSet};
use term::visit::post_order;
use term::{Op as TermOp, Sort, SortKind, Term};

/// Whether values of a sort are maps from machine integers to something simple.
pub fn is_map(sort: Sort) -> bool {
    match sort.kind() {
        SortKind::Array(index, element) => {
            index.bv_width().is_some() && !matches!(element.kind(), SortKind::Array(..) | SortKind::Memory(_))
        }
        _ => false,
    }
}

/// The classes of all maps of a program, variables and other terms.
pub struct MapClasses {
    classes: FxHashMap<Term, usize>,
    refused: FxHashSet<usize>,
}

impl MapClasses {
    pub fn new(program: &Program) -> MapClasses {
        let mut forest = Forest::default();
        for procedure in &program.procedures {
            // What is passed stays whole.
            procedure.parameters.iter().chain(&procedure.results).for_each(|variable| forest.refuse(variable.term));
        }
        program.globals.iter().for_each(|variable| _ = forest.number(variable.term));
        for edge in program.edges() {
            match &edge.op {
                Op::Assign(pairs) => pairs.iter().for_each(|(variable, value)| forest.join(*variable, *value)),
                Op::Call { arguments, results, .. } => {
                    arguments.iter().chain(results).for_each(|term| forest.refuse(*term));
                }
                Op::Spawn { arguments, .. } => arguments.iter().for_each(|term| forest.refuse(*term)),
                _ => {}
            }
        }
        let roots = program.edges().flat_map(|edge| edge.op.terms()).chain(program.axioms.iter().copied());
        post_order(roots).into_iter().for_each(|term| forest.operator(term));
        term::free::variables(program.axioms.iter().copied()).into_iter().for_each(|variable| forest.refuse(variable));
        forest.classes()
    }

    /// The class of a map, unless it is refused.
    pub fn class(&self, map: Term) -> Option<usize> {
        self.classes.get(&map).copied().filter(|class| !self.refused.contains(class))
    }
}

/// The variables of a program that are maps.
pub fn variables(program: &Program) -> impl Iterator<Item = &Variable> {
    let declared = program.globals.iter().chain(program.procedures.iter().flat_map(|procedure| &procedure.locals));
    declared.filter(|variable| is_map(variable.sort()))
}

/// The forest whose roots stand for classes, while it grows.
#[derive(Default)]
struct Forest {
    numbers: FxHashMap<Term, usize>,
    parents: Vec<usize>,
    refused: Vec<usize>,
}

impl Forest {
    fn number(&mut self, map: Term) -> Option<usize> {
        is_map(map.sort()).then(|| {
            *self.numbers.entry(map).or_insert_with(|| {
                self.parents.push(self.parents.len());
                self.parents.len() - 1
            })
        })
    }

    fn root(&mut self, mut number: usize) -> usize {
        while self.parents[number] != number {
            self.parents[number] = self.parents[self.parents[number]];
            number = self.parents[number];
        }
        number
    }

    fn join(&mut self, a: Term, b: Term) {
        if let (Some(a), Some(b)) = (self.number(a), self.number(b)) {
            let (a, b) = (self.root(a), self.root(b));
            self.parents[a] = b;
        }
    }

    fn refuse(&mut self, map: Term) {
        let number = self.number(map);
        self.refused.extend(number);
    }

    fn operator(&mut self, term: Term) {
        match (term.op(), term.args()) {
            (TermOp::Select, [map, place]) => {
                _ = self.number(*map);
                self.refuse(*place);
            }
            (TermOp::Store, [map, place, value]) => {
                self.join(term, *map);
                self.refuse(*place);
                self.refuse(*value);
            }
            (TermOp::Ite, [_, yes, no]) => {
                self.join(term, *yes);
                self.join(term, *no);
            }
            (TermOp::Var { .. } | TermOp::Const(_) | TermOp::ConstArray(_), _) => {}
            (_, parts) => {
                parts.iter().for_each(|part| self.refuse(*part));
                self.refuse(term);
            }
        }
    }

    fn classes(mut self) -> MapClasses {
        let terms: Vec<(Term, usize)> = self.numbers.iter().map(|(map, number)| (*map, *number)).collect();
        let classes = terms.into_iter().map(|(map, number)| (map, self.root(number))).collect();
        let refused = std::mem::take(&mut self.refused);
        MapClasses { classes, refused: refused.into_iter().map(|number| self.root(number)).collect() }
    }
}
