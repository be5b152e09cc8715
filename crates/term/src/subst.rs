//! Simultaneous substitution of variables by terms, without capture, and renaming of variables to their copies.

use crate::free::Free;
use crate::visit::bound;
use crate::{Op, Term, build};
use rustc_hash::FxHashMap;

/// `term` with each free variable replaced for which `replacement` has a term, of the same sort, all at once. Nothing
/// that is put in is captured by a binder. Each variable is asked for once.
pub fn substitute(term: Term, replacement: impl FnMut(Term) -> Option<Term>) -> Term {
    Substitution::new(replacement).apply(term)
}

/// `term` with each free variable replaced by its copy of the number that `instance` gives.
pub fn rename(term: Term, mut instance: impl FnMut(Term) -> u32) -> Term {
    substitute(term, |v| Some(v.at_instance(instance(v))))
}

/// A substitution that remembers what it has done, for many terms that share parts.
pub struct Substitution<F> {
    replacement: F,
    /// What variables become: outside all binders, as far as was asked, and then inside binders.
    maps: Vec<FxHashMap<Term, Term>>,
    /// Results by map and term.
    memo: FxHashMap<(usize, Term), Term>,
    /// The map inside a binder, and the binder's variables there, by the map outside and the binder.
    inside: FxHashMap<(usize, Term), (usize, Vec<Term>)>,
    free: Free,
}

impl<F: FnMut(Term) -> Option<Term>> Substitution<F> {
    pub fn new(replacement: F) -> Substitution<F> {
        Substitution {
            replacement,
            maps: vec![FxHashMap::default()],
            memo: FxHashMap::default(),
            inside: FxHashMap::default(),
            free: Free::new(),
        }
    }

    /// `root` after the substitution. What it does not touch stays as it is; what it touches is rebuilt by
    /// [`build::make`].
    ///
    /// # Panics
    /// If a term of another sort is to take a variable's place.
    pub fn apply(&mut self, root: Term) -> Term {
        let mut stack = vec![(0, root, 0)];
        while let Some((map, term, next)) = stack.last_mut() {
            let (map, term) = (*map, *term);
            if let Some(&argument) = term.args().get(*next) {
                *next += 1;
                let map = if bound(term).is_empty() { map } else { self.map_inside(map, term) };
                if !self.memo.contains_key(&(map, argument)) {
                    stack.push((map, argument, 0));
                }
            } else {
                stack.pop();
                let result = self.replaced(map, term);
                self.memo.insert((map, term), result);
            }
        }
        self.memo[&(0, root)]
    }

    /// What a variable becomes where a map holds.
    fn variable(&mut self, map: usize, variable: Term) -> Term {
        if let Some(known) = self.maps[map].get(&variable) {
            return *known;
        }
        if map != 0 {
            return variable;
        }
        let new = (self.replacement)(variable).unwrap_or(variable);
        assert!(new.sort() == variable.sort(), "{variable} cannot become {new}");
        self.maps[0].insert(variable, new);
        new
    }

    /// The result for a term whose arguments are done.
    fn replaced(&mut self, map: usize, term: Term) -> Term {
        if term.is_var() {
            return self.variable(map, term);
        }
        if bound(term).is_empty() {
            let args: Vec<Term> = term.args().iter().map(|a| self.memo[&(map, *a)]).collect();
            return if args == term.args() { term } else { build::make(term.op(), &args) };
        }
        let (inside, variables) = &self.inside[&(map, term)];
        let args: Vec<Term> = term.args().iter().map(|a| self.memo[&(*inside, *a)]).collect();
        if args == term.args() {
            return term;
        }
        let op = match term.op() {
            Op::Forall(_) => Op::Forall(variables.clone()),
            Op::Exists(_) => Op::Exists(variables.clone()),
            _ => Op::Lambda(variables.clone()),
        };
        build::make(&op, &args)
    }

    /// The map that holds inside a binder: the variables it binds stay, under other names if one of their names occurs in
    /// what is put there.
    fn map_inside(&mut self, map: usize, binder: Term) -> usize {
        if let Some((known, _)) = self.inside.get(&(map, binder)) {
            return *known;
        }
        let free = self.free.of(binder);
        let mut inner: FxHashMap<Term, Term> = FxHashMap::default();
        let mut taken: Vec<Term> = Vec::new();
        for &variable in free.iter() {
            let new = self.variable(map, variable);
            inner.insert(variable, new);
            taken.extend_from_slice(&self.free.of(new));
        }
        let mut renamed: Vec<Term> = Vec::new();
        for &variable in bound(binder) {
            let mut name = variable;
            let mut instance = 0;
            while taken.contains(&name) {
                instance += 1;
                name = variable.at_instance(instance);
            }
            if name != variable {
                inner.insert(variable, name);
            }
            // Another bound variable may have that very name.
            taken.push(name);
            renamed.push(name);
        }
        let number = self.maps.len();
        self.maps.push(inner);
        self.inside.insert((map, binder), (number, renamed));
        number
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Sort;
    use crate::text::parse_closed;
    use source::Symbol;
    use std::collections::HashMap;

    fn term(text: &str) -> Term {
        let scope: HashMap<Symbol, Sort> =
            ["x", "y", "z"].into_iter().map(|name| (Symbol::new(name), Sort::int())).collect();
        parse_closed(text, &scope).unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    #[track_caller]
    fn check(before: &str, map: &[(&str, &str)], after: &str) {
        let result = substitute(term(before), |v| map.iter().find(|(from, _)| term(from) == v).map(|(_, to)| term(to)));
        assert_eq!(result.to_string(), after);
    }

    // The order of a commutative operator's arguments depends on their age: the texts have none of two variables.

    #[test]
    fn substitution_is_simultaneous() {
        check("(< x (- y z))", &[("x", "y"), ("y", "x")], "(< y (- x z))");
        check("(= x (+ y 1))", &[("x", "5"), ("y", "5")], "false");
    }

    #[test]
    fn bound_variables_stay() {
        check(
            "(< (select (lambda ((x Int)) (- x y)) x) y)",
            &[("x", "z")],
            "(< (select (lambda ((x Int)) (- x y)) z) y)",
        );
    }

    #[test]
    fn nothing_is_captured() {
        check("(forall ((x Int)) (< x y))", &[("y", "(- x z)")], "(forall ((x@1 Int)) (< x@1 (- x z)))");
        check("(forall ((x Int)) (< x (- y x@1)))", &[("y", "x")], "(forall ((x@2 Int)) (< x@2 (- x x@1)))");
        check(
            "(forall ((x Int) (x@1 Int)) (< x (- y x@1)))",
            &[("y", "x")],
            "(forall ((x@1 Int) (x@2 Int)) (< x@1 (- x x@2)))",
        );
        check(
            "(forall ((x@1 Int) (x Int)) (< x (- y x@1)))",
            &[("y", "x")],
            "(forall ((x@1 Int) (x@2 Int)) (< x@2 (- x x@1)))",
        );
        check(
            "(forall ((x Int)) (exists ((z Int)) (< z (- x y))))",
            &[("y", "(mod x z)")],
            "(forall ((x@1 Int)) (exists ((z@1 Int)) (< z@1 (- x@1 (mod x z)))))",
        );
    }

    #[test]
    fn instances_are_renamed() {
        let renamed = rename(term("(forall ((x Int)) (< x (- y z@4)))"), |v| if v == term("y") { 7 } else { 9 });
        assert_eq!(renamed.to_string(), "(forall ((x Int)) (< x (- y@7 z@9)))");
    }
}
