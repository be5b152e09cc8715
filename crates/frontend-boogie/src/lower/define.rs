//! Functions: which are replaced by their definitions, and what applying one gives.
//!
//! A definition is a function's body, or an axiom that says for all arguments what the function gives: `axiom NULL == 0`,
//! `axiom (forall x: int :: f(x) == x + 1)`. Replacing it is exact, because a definition that does not lead back to
//! the function fits every meaning of the others.

use super::context::{Env, Lowered, Lowering, TypeArguments};
use crate::check::types::Type;
use crate::hir::*;
use crate::syntax::{BinaryOp, Binder, ExprId, ExprKind};
use rustc_hash::{FxHashMap, FxHashSet};
use source::{Span, Symbol};
use term::{Sort, SortKind, Term, Value, build, subst, visit};

/// What a function gives, in terms of some variables.
#[derive(Clone, Debug)]
pub struct Definition {
    pub parameters: Vec<VarId>,
    pub body: ExprId,
    /// The functions that the body mentions.
    callees: Vec<FunctionId>,
}

/// A function for certain types.
#[derive(Clone, Debug)]
pub enum Instance {
    Uninterpreted(term::Function),
    /// The term, over these variables.
    Defined(Vec<Term>, Term),
    /// An operation of SMT-LIB, with the sort of its result.
    Builtin(Symbol, Sort),
}

impl Lowering<'_> {
    /// Finds the definitions among bodies and axioms; the other axioms are kept.
    pub fn find_definitions(&mut self) {
        self.definitions = vec![None; self.unit.functions.len()];
        for n in 0..self.unit.functions.len() {
            let function = &self.unit.functions[n];
            if let Some(body) = function.body {
                let parameters = function.parameters.clone();
                self.define(FunctionId(n as u32), parameters, body);
            }
        }
        let mut pending = std::mem::take(&mut self.unit.axioms);
        pending.reverse();
        while let Some(axiom) = pending.pop() {
            if let ExprKind::Binary(BinaryOp::And, left, right) = self.unit.tree[axiom].kind {
                pending.extend([right, left]);
                continue;
            }
            let candidates = self.defining(axiom);
            if !candidates.into_iter().any(|(function, parameters, body)| self.define(function, parameters, body)) {
                self.axioms.push(axiom);
            }
        }
    }

    /// Takes a definition, unless there is one or it would be circular.
    fn define(&mut self, function: FunctionId, parameters: Vec<VarId>, body: ExprId) -> bool {
        if self.definitions[function.0 as usize].is_some() {
            return false;
        }
        let callees = self.mentioned(body);
        let mut seen: FxHashSet<FunctionId> = FxHashSet::default();
        let mut pending = callees.clone();
        while let Some(callee) = pending.pop() {
            if callee == function {
                return false;
            }
            if seen.insert(callee)
                && let Some(definition) = &self.definitions[callee.0 as usize]
            {
                pending.extend(&definition.callees);
            }
        }
        self.definitions[function.0 as usize] = Some(Definition { parameters, body, callees });
        true
    }

    /// The functions that an expression mentions.
    pub fn mentioned(&self, expr: ExprId) -> Vec<FunctionId> {
        let mut found = Vec::new();
        self.unit.tree.walk(expr, |part| {
            if let Some(Meaning::Function(function, _)) = self.unit.meanings.get(&part) {
                found.push(*function);
            }
        });
        found.sort();
        found.dedup();
        found
    }

    /// The functions that an axiom says something about: those that it mentions when definitions are replaced. One that has a
    /// definition, or a meaning from outside, is the same whatever axioms say.
    pub fn constrained(&self, axiom: ExprId) -> Vec<FunctionId> {
        let mut pending = self.mentioned(axiom);
        let mut seen: FxHashSet<FunctionId> = FxHashSet::default();
        let mut found = Vec::new();
        while let Some(function) = pending.pop() {
            if !seen.insert(function) {
                continue;
            }
            match (&self.definitions[function.0 as usize], self.unit.function(function).outside) {
                (Some(definition), _) => pending.extend(&definition.callees),
                (None, Outside::Builtin(_) | Outside::Defined(_) | Outside::Candidate) => {}
                (None, Outside::Nothing | Outside::Unsupported(_)) => found.push(function),
            }
        }
        found
    }

    /// How an axiom could be read as a definition.
    fn defining(&self, axiom: ExprId) -> Vec<(FunctionId, Vec<VarId>, ExprId)> {
        let tree = &self.unit.tree;
        let (bound, body) = match &tree[axiom].kind {
            ExprKind::Quantified(q) if q.binder == Binder::Forall && q.type_parameters.is_empty() => {
                (self.unit.bound[&axiom].clone(), q.body)
            }
            _ => (Vec::new(), axiom),
        };
        let ExprKind::Binary(BinaryOp::Eq | BinaryOp::Iff, left, right) = tree[body].kind else { return Vec::new() };
        let sides = [(left, right), (right, left)];
        sides.into_iter().filter_map(|(head, body)| self.defined_by(head, body, &bound)).collect()
    }

    /// The function that a head `f(x, y)` with all of the bound variables would define.
    fn defined_by(&self, head: ExprId, body: ExprId, bound: &[VarId]) -> Option<(FunctionId, Vec<VarId>, ExprId)> {
        let tree = &self.unit.tree;
        let Some(Meaning::Function(id, types)) = self.unit.meanings.get(&head) else { return None };
        let function = self.unit.function(*id);
        let can_be = matches!(function.kind, FunctionKind::Plain | FunctionKind::Constant { .. });
        if !can_be || function.body.is_some() || function.outside != Outside::Nothing || !types.is_empty() {
            return None;
        }
        let arguments: &[ExprId] = match &tree[head].kind {
            ExprKind::Name(_) => &[],
            ExprKind::Apply(_, arguments) => arguments,
            _ => return None,
        };
        let variable = |expr: &ExprId| match (&tree[*expr].kind, self.unit.meanings.get(expr)) {
            (ExprKind::Name(_), Some(Meaning::Variable(variable))) => Some(*variable),
            _ => None,
        };
        let parameters: Vec<VarId> = arguments.iter().map(variable).collect::<Option<_>>()?;
        let distinct: FxHashSet<VarId> = parameters.iter().copied().collect();
        let fits = distinct.len() == parameters.len() && distinct == bound.iter().copied().collect();
        fits.then_some((*id, parameters, body))
    }

    /// A function applied to terms.
    pub fn apply(&mut self, id: FunctionId, types: &[Type], arguments: &[Term], span: Span) -> Lowered<Term> {
        match self.instance(id, types, span)? {
            Instance::Uninterpreted(function) => Ok(build::apply(function, arguments)),
            Instance::Builtin(name, result) => self.builtin(name, arguments, result, span),
            Instance::Defined(parameters, body) if parameters.is_empty() => Ok(body),
            Instance::Defined(parameters, body) => Ok(subst::substitute(body, |variable| {
                parameters.iter().position(|parameter| *parameter == variable).map(|n| arguments[n])
            })),
        }
    }

    fn instance(&mut self, id: FunctionId, types: &[Type], span: Span) -> Lowered<Instance> {
        let key = (id, types.to_vec());
        if let Some(known) = self.instances.get(&key) {
            return known.clone();
        }
        self.used.insert(id);
        let made = self.make_instance(id, types, span);
        self.instances.insert(key, made.clone());
        made
    }

    fn make_instance(&mut self, id: FunctionId, types: &[Type], span: Span) -> Lowered<Instance> {
        let function = self.unit.function(id).clone();
        let arguments = TypeArguments { parameters: function.type_parameters.clone(), arguments: types.to_vec() };
        let result = self.sort(function.result, &arguments, span)?;
        match function.outside {
            Outside::Nothing => {}
            Outside::Builtin(builtin) => return Ok(Instance::Builtin(builtin, result)),
            Outside::Defined(text) => return self.defined_outside(&function, text, &arguments, result, span),
            Outside::Candidate => return self.candidate(&function, result, span),
            Outside::Unsupported(what) => return self.refuse(what, span),
        }
        if let Some(definition) = self.definitions[id.0 as usize].clone() {
            let mut env = Env { types: arguments, ..Env::default() };
            let parameters = self.bind(&definition.parameters, &mut env, span)?;
            let body = self.expr(definition.body, &mut env)?;
            return Ok(Instance::Defined(parameters, body));
        }
        let is_unique = matches!(function.kind, FunctionKind::Constant { unique: true, .. });
        if is_unique && matches!(result.kind(), SortKind::Uninterpreted(..)) {
            // Which elements the unique constants of a sort are does not matter, as long as they differ.
            let count = self.elements.entry(result).or_insert(0);
            *count += 1;
            return Ok(Instance::Defined(Vec::new(), Term::constant(Value::Element(result, *count - 1))));
        }
        let mut parameters = Vec::new();
        for parameter in &function.parameters {
            let ty = self.unit.variable(*parameter).ty;
            parameters.push(self.sort(ty, &arguments, span)?);
        }
        let shown: Vec<String> = types.iter().map(|ty| self.types.show(*ty)).collect();
        let name = match shown.is_empty() {
            true => function.name.to_string(),
            false => format!("{}<{}>", function.name, shown.join(",")),
        };
        match function.kind {
            FunctionKind::Constructor(datatype, _)
            | FunctionKind::Selector(datatype)
            | FunctionKind::Tester(datatype, _) => {
                let wanted = (datatype, types.to_vec());
                if !self.datatypes.contains(&wanted) {
                    self.datatypes.push(wanted);
                }
            }
            _ if function.body.is_some() => self.recursive.push((id, types.to_vec())),
            _ => {}
        }
        Ok(Instance::Uninterpreted(self.new_function(&name, parameters, result)))
    }

    /// A function that an SMT-LIB term defines.
    fn defined_outside(
        &mut self,
        function: &Function,
        text: Symbol,
        types: &TypeArguments,
        result: Sort,
        span: Span,
    ) -> Lowered<Instance> {
        let mut scope: FxHashMap<Symbol, Sort> = FxHashMap::default();
        let mut parameters = Vec::new();
        for parameter in &function.parameters {
            let Variable { name, ty, .. } = *self.unit.variable(*parameter);
            let sort = self.sort(ty, types, span)?;
            scope.insert(name, sort);
            parameters.push(Term::var(name, sort));
        }
        let is_open = |term: Term| {
            visit::post_order([term]).into_iter().any(|part| match part.op() {
                // SMT-LIB says nothing of a division by zero, terms do.
                term::Op::IntDiv | term::Op::IntMod | term::Op::RealDiv => true,
                _ => !visit::bound(part).is_empty(),
            })
        };
        match term::text::parse_closed(text.as_str(), &scope) {
            Ok(body) if body.sort() == result && !is_open(body) => Ok(Instance::Defined(parameters, body)),
            _ => self.refuse(format!("a function that stands for {text}"), span),
        }
    }

    /// Declares an uninterpreted function.
    pub fn new_function(&mut self, name: &str, parameters: Vec<Sort>, result: Sort) -> term::Function {
        let function = term::Function { name: self.fresh_name(name), parameters, result };
        self.program.functions.push(function.clone());
        function
    }

    /// Makes terms for bound variables and puts them into the environment. No user can write their names.
    pub fn bind(&mut self, variables: &[VarId], env: &mut Env, span: Span) -> Lowered<Vec<Term>> {
        let mut terms = Vec::new();
        for id in variables {
            let Variable { name, ty, .. } = *self.unit.variable(*id);
            let sort = self.sort(ty, &env.types, span)?;
            let term = Term::var(format!("{name}!{}", env.bound).as_str(), sort);
            env.bound += 1;
            env.variables.insert(*id, term);
            terms.push(term);
        }
        Ok(terms)
    }
}
