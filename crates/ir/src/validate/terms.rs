//! The laws of terms: what they mention is declared, and in scope.
//!
//! Terms share their parts, so each node is looked at once for the whole program. What is found out about it does not
//! depend on where it stands: which procedure's locals it mentions, which variables it leaves unbound, and the first
//! law that it breaks wherever it stands. Nodes are visited with a stack of our own, so depth is no danger.

use super::{Rule, variables_of};
use crate::sorts::MAX_DEPTH;
use crate::{ProcId, Program};
use rustc_hash::FxHashMap;
use source::Symbol;
use std::collections::BTreeSet;
use std::rc::Rc;
use term::{Function, Op, Sort, SortKind, Term};

/// A broken law and what exactly is wrong.
pub(super) type Problem = (Rule, String);

/// What is known of a term.
#[derive(Clone, Default)]
struct Facts {
    /// Whether a declared variable occurs.
    uses_variables: bool,
    /// The procedure whose locals occur.
    scope: Option<ProcId>,
    /// Variables that are neither declared nor bound inside the term. Few terms have any.
    unbound: Option<Rc<BTreeSet<Term>>>,
    problem: Option<Rc<Problem>>,
}

/// A declared variable and the procedure it is local to.
#[derive(Clone, Copy)]
struct Declared {
    term: Term,
    scope: Option<ProcId>,
}

/// Checks terms against the declarations of a program.
pub(super) struct TermChecker<'a> {
    program: &'a Program,
    variables: FxHashMap<Symbol, Declared>,
    functions: FxHashMap<Symbol, &'a Function>,
    facts: FxHashMap<Term, Facts>,
    /// How deep the sorts are nested that have no pointers of another width in them.
    sorts: FxHashMap<Sort, u32>,
}

impl<'a> TermChecker<'a> {
    /// Where names are declared twice, the first declaration counts.
    pub(super) fn new(program: &'a Program) -> TermChecker<'a> {
        let mut variables = FxHashMap::default();
        let locals = program.procedures().flat_map(|(id, p)| variables_of(p).map(move |v| (v, Some(id))));
        for (variable, scope) in program.globals.iter().map(|v| (v, None)).chain(locals) {
            if let Some(name) = variable.term.name() {
                variables.entry(name).or_insert(Declared { term: variable.term, scope });
            }
        }
        let mut functions = FxHashMap::default();
        for function in &program.functions {
            functions.entry(function.name).or_insert(function);
        }
        TermChecker { program, variables, functions, facts: FxHashMap::default(), sorts: FxHashMap::default() }
    }

    /// The first law that a term breaks that stands in a procedure.
    pub(super) fn check(&mut self, term: Term, procedure: ProcId) -> Result<(), Problem> {
        let facts = self.visit(term);
        if let Some(problem) = facts.problem {
            return Err((*problem).clone());
        }
        if let Some(unbound) = facts.unbound {
            return Err(self.undeclared(unbound.first().copied().unwrap_or(term)));
        }
        match facts.scope {
            Some(scope) if scope != procedure => Err(self.out_of_scope(scope)),
            _ => Ok(()),
        }
    }

    /// The first law that an axiom breaks.
    pub(super) fn check_axiom(&mut self, axiom: Term) -> Result<(), Problem> {
        let facts = self.visit(axiom);
        if let Some(problem) = facts.problem {
            return Err((*problem).clone());
        }
        if facts.unbound.is_some() || facts.uses_variables {
            return Err((Rule::AxiomIsClosed, "the axiom mentions a variable that it does not bind".to_string()));
        }
        if !axiom.sort().is_bool() {
            return Err((Rule::AxiomIsFormula, format!("the axiom has the sort {}", axiom.sort())));
        }
        Ok(())
    }

    /// Whether all pointers and memories in a sort have the data model's width, and it is not too deep.
    pub(super) fn check_sort(&mut self, sort: Sort) -> Result<(), Problem> {
        if !self.sorts.contains_key(&sort) {
            self.visit_sort(sort)?;
        }
        if self.sorts[&sort] > MAX_DEPTH {
            return Err((
                Rule::SortDepth,
                format!("a sort is nested {} deep, not at most {MAX_DEPTH}", self.sorts[&sort]),
            ));
        }
        Ok(())
    }

    /// Finds the depths of a sort and its parts.
    fn visit_sort(&mut self, sort: Sort) -> Result<(), Problem> {
        let width = self.program.data_model.pointer_width();
        let mut stack = vec![sort];
        while let Some(&part) = stack.last() {
            let parts: Vec<Sort> = match part.kind() {
                SortKind::Pointer(own) | SortKind::Memory(own) if *own != width => {
                    return Err((
                        Rule::PointerWidth,
                        format!("{part} does not have the width of pointers, {width} bits"),
                    ));
                }
                SortKind::Array(index, element) => vec![*index, *element],
                SortKind::Uninterpreted(_, arguments) => arguments.clone(),
                _ => Vec::new(),
            };
            let known = stack.len();
            stack.extend(parts.iter().filter(|part| !self.sorts.contains_key(part)));
            if stack.len() == known {
                let depth = 1 + parts.iter().map(|part| self.sorts[part]).max().unwrap_or(0);
                self.sorts.insert(part, depth);
                stack.pop();
            }
        }
        Ok(())
    }

    fn visit(&mut self, root: Term) -> Facts {
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            if self.facts.contains_key(&term) {
                stack.pop();
                continue;
            }
            let known = stack.len();
            stack.extend(term.args().iter().filter(|a| !self.facts.contains_key(a)));
            if stack.len() == known {
                let facts = self.facts_of(term);
                self.facts.insert(term, facts);
                stack.pop();
            }
        }
        self.facts[&root].clone()
    }

    /// The facts of a term whose arguments' facts are known.
    fn facts_of(&mut self, term: Term) -> Facts {
        let mut facts = self.join(term.args());
        let own = self.check_sort(term.sort()).and_then(|()| match term.op() {
            Op::Var { .. } => self.variable(term, &mut facts),
            Op::Apply(function) => self.application(function),
            Op::Forall(bound) | Op::Exists(bound) | Op::Lambda(bound) => self.binder(bound, &mut facts),
            _ => Ok(()),
        });
        if let Err(problem) = own {
            facts.problem.get_or_insert_with(|| Rc::new(problem));
        }
        facts
    }

    fn join(&self, args: &[Term]) -> Facts {
        let mut joined = Facts::default();
        for facts in args.iter().map(|a| &self.facts[a]) {
            joined.uses_variables |= facts.uses_variables;
            if joined.problem.is_none() {
                joined.problem = facts.problem.clone();
            }
            match (joined.scope, facts.scope) {
                (Some(one), Some(other)) if one != other && joined.problem.is_none() => {
                    joined.problem = Some(Rc::new(self.out_of_scope(other)));
                }
                _ => joined.scope = joined.scope.or(facts.scope),
            }
            joined.unbound = match (joined.unbound.take(), &facts.unbound) {
                (Some(one), Some(other)) if !Rc::ptr_eq(&one, other) => Some(Rc::new(&*one | &**other)),
                (one, other) => one.or_else(|| other.clone()),
            };
        }
        joined
    }

    fn variable(&self, variable: Term, facts: &mut Facts) -> Result<(), Problem> {
        if let Op::Var { name, instance: 1.., .. } = variable.op() {
            return Err((Rule::VariableInstance, format!("the variable {name} occurs as {variable:?}")));
        }
        match variable.name().and_then(|name| self.variables.get(&name)) {
            Some(declared) if declared.term == variable => {
                facts.uses_variables = true;
                facts.scope = declared.scope;
            }
            _ => facts.unbound = Some(Rc::new(BTreeSet::from([variable]))),
        }
        Ok(())
    }

    fn application(&self, function: &Function) -> Result<(), Problem> {
        match self.functions.get(&function.name) {
            Some(declared) if **declared == *function => Ok(()),
            Some(_) => Err((
                Rule::FunctionDeclared,
                format!("{} is applied with another signature than declared", function.name),
            )),
            None => Err((Rule::FunctionDeclared, format!("the function {} is not declared", function.name))),
        }
    }

    fn binder(&mut self, bound: &[Term], facts: &mut Facts) -> Result<(), Problem> {
        if let Some(unbound) = facts.unbound.take() {
            let rest: BTreeSet<Term> = unbound.iter().filter(|v| !bound.contains(v)).copied().collect();
            facts.unbound = (!rest.is_empty()).then(|| Rc::new(rest));
        }
        let mut names = BTreeSet::new();
        for variable in bound {
            self.check_sort(variable.sort())?;
            let Op::Var { name, instance, .. } = variable.op() else { continue };
            if *instance != 0 {
                return Err((Rule::VariableInstance, format!("the variable {name} is bound as {variable:?}")));
            }
            if self.variables.contains_key(name) {
                return Err((Rule::BoundIsFresh, format!("the bound variable {name} has the name of a declared one")));
            }
            if !names.insert(*name) {
                return Err((Rule::BoundIsDistinct, format!("the variable {name} is bound twice by one quantifier")));
            }
        }
        Ok(())
    }

    /// What is wrong with a variable that is not bound and does not stand for its declaration.
    fn undeclared(&self, variable: Term) -> Problem {
        let name = variable.name().unwrap_or_else(|| Symbol::new("?"));
        match self.variables.get(&name) {
            Some(declared) => {
                let (is, should) = (variable.sort(), declared.term.sort());
                (Rule::VariableSort, format!("the variable {name} has the sort {is}, but was declared with {should}"))
            }
            None => (Rule::VariableDeclared, format!("the variable {name} is not declared")),
        }
    }

    fn out_of_scope(&self, scope: ProcId) -> Problem {
        let owner = self.program.procedure(scope).name;
        (Rule::VariableInScope, format!("a local variable of procedure {owner} occurs outside of it"))
    }
}
