//! The axioms of the program: those that the user wrote, and those that unique constants, the partial order, recursive
//! functions and datatypes bring.

use super::context::{Env, Lowered, Lowering, TypeArguments};
use crate::hir::*;
use crate::syntax::ExprId;
use term::{Sort, SortKind, Term, build};

/// This many constants are told apart two by two; more of them by numbers.
const FEW: usize = 30;

impl Lowering<'_> {
    /// Lowers the axioms about functions that are used, until none is left that is about one.
    pub fn lower_axioms(&mut self) {
        let mut waiting: Vec<(ExprId, Vec<FunctionId>)> =
            std::mem::take(&mut self.axioms).into_iter().map(|axiom| (axiom, self.constrained(axiom))).collect();
        let (mut recursive, mut datatypes, mut ordered) = (0, 0, 0);
        loop {
            let mut is_idle = true;
            let about: Vec<(ExprId, Vec<FunctionId>)> = std::mem::take(&mut waiting);
            for (axiom, functions) in about {
                if functions.is_empty() || functions.iter().any(|f| self.used.contains(f)) {
                    is_idle = false;
                    let lowered = self.expr(axiom, &mut Env::default());
                    self.add_axioms(lowered.map(|axiom| vec![axiom]));
                } else {
                    waiting.push((axiom, functions));
                }
            }
            while let Some((function, types)) = self.recursive.get(recursive).cloned() {
                recursive += 1;
                is_idle = false;
                let axiom = self.recursive_axiom(function, types);
                self.add_axioms(axiom.map(|axiom| vec![axiom]));
            }
            while let Some((datatype, types)) = self.datatypes.get(datatypes).cloned() {
                datatypes += 1;
                is_idle = false;
                let axioms = self.datatype_axioms(datatype, &types);
                self.add_axioms(axioms);
            }
            while let Some(sort) = self.ordered.get(ordered).copied() {
                ordered += 1;
                is_idle = false;
                let axioms = self.order_axioms(sort);
                self.add_axioms(axioms);
            }
            if is_idle {
                break;
            }
        }
        self.tell_unique_apart();
    }

    fn add_axioms(&mut self, axioms: Lowered<Vec<Term>>) {
        match axioms {
            Ok(axioms) => self.program.axioms.extend(axioms.into_iter().filter(|axiom| axiom.as_bool() != Some(true))),
            Err(refused) => self.refused_axioms.push(refused),
        }
    }

    /// What a recursive function's body says.
    fn recursive_axiom(&mut self, id: FunctionId, types: Vec<crate::check::types::Type>) -> Lowered<Term> {
        let function = self.unit.function(id).clone();
        let Some(body) = function.body else { return self.refuse("a function without a body", function.span) };
        let arguments = TypeArguments { parameters: function.type_parameters.clone(), arguments: types.clone() };
        let mut env = Env { types: arguments, ..Env::default() };
        let bound = self.bind(&function.parameters, &mut env, function.span)?;
        let applied = self.apply(id, &types, &bound, function.span)?;
        let body = self.expr(body, &mut env)?;
        Ok(build::forall_triggered(bound, build::eq(applied, body), &[applied]))
    }

    /// The relation `<:` on a sort.
    pub fn order(&mut self, sort: Sort) -> term::Function {
        let name = format!("<:{sort}");
        let known = self.program.functions.iter().find(|f| f.name.as_str() == name).cloned();
        known.unwrap_or_else(|| {
            self.ordered.push(sort);
            self.new_function(&name, vec![sort, sort], Sort::bool())
        })
    }

    /// The order's laws, and where the constants stand in it.
    fn order_axioms(&mut self, sort: Sort) -> Lowered<Vec<Term>> {
        let order = self.order(sort);
        let below = |a: Term, b: Term| build::apply(order.clone(), &[a, b]);
        let [x, y, z] = ["x!0", "y!1", "z!2"].map(|name| Term::var(name, sort));
        let both = build::and([below(x, y), below(y, x)]);
        let chain = build::and([below(x, y), below(y, z)]);
        let mut axioms = vec![
            build::forall([x], below(x, x)),
            build::forall([x, y], build::implies(both, build::eq(x, y))),
            build::forall([x, y, z], build::implies(chain, below(x, z))),
        ];
        for n in 0..self.unit.functions.len() {
            let Function { kind: FunctionKind::Constant { parents: Some(parents), .. }, result, span, .. } =
                self.unit.functions[n].clone()
            else {
                continue;
            };
            if self.sort(result, &TypeArguments::default(), span).ok() != Some(sort) {
                continue;
            }
            let constant = self.apply(FunctionId(n as u32), &[], &[], span)?;
            for parent in parents {
                let parent = self.apply(parent, &[], &[], span)?;
                axioms.push(below(constant, parent));
            }
        }
        Ok(axioms)
    }

    /// The unique constants of a sort that are used differ from each other. The others can always be chosen so, where
    /// the sort has enough values.
    fn tell_unique_apart(&mut self) {
        let mut constants: Vec<Term> = Vec::new();
        for n in 0..self.unit.functions.len() {
            let id = FunctionId(n as u32);
            let function = self.unit.function(id);
            let is_unique = matches!(function.kind, FunctionKind::Constant { unique: true, .. });
            if is_unique && self.used.contains(&id) {
                let span = function.span;
                constants.extend(self.apply(id, &[], &[], span).ok());
            }
        }
        let mut sorts: Vec<Sort> = constants.iter().map(|c| c.sort()).collect();
        sorts.sort();
        sorts.dedup();
        for sort in sorts {
            let same: Vec<Term> = constants.iter().copied().filter(|c| c.sort() == sort).collect();
            let is_told = same.iter().all(|c| c.value().is_some());
            if same.len() <= FEW || is_told {
                for (n, one) in same.iter().enumerate() {
                    let different = same[n + 1..].iter().map(|other| build::ne(*one, *other));
                    let different: Vec<Term> = different.filter(|t| t.as_bool() != Some(true)).collect();
                    self.program.axioms.extend(different);
                }
            } else {
                let name = match sort.kind() {
                    SortKind::Int => "unique".to_string(),
                    _ => format!("unique:{sort}"),
                };
                let number = self.new_function(&name, vec![sort], Sort::int());
                let told = same.iter().zip(0u64..);
                let told = told.map(|(c, n)| build::eq(build::apply(number.clone(), &[*c]), build::int(n)));
                self.program.axioms.extend(told);
            }
        }
    }
}
