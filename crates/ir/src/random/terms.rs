//! Random terms over given variables.

use super::signatures::{Signature, signatures};
use rustc_hash::FxHashMap;
use term::random::Random;
use term::{Function, Op, Sort, SortKind, Term, Value};

/// Makes terms of the sorts it was made with.
pub(super) struct Terms {
    sorts: Vec<Sort>,
    signatures: FxHashMap<Sort, Vec<Signature>>,
    quantifiers: bool,
    bound: usize,
}

impl Terms {
    pub(super) fn new(sorts: &[Sort], functions: &[Function], quantifiers: bool) -> Terms {
        Terms { sorts: sorts.to_vec(), signatures: signatures(sorts, functions), quantifiers, bound: 0 }
    }

    /// A term of the sort, with operators nested at most `depth` deep.
    ///
    /// # Panics
    /// If the sort is memory, which has no constants, and there is no variable of it.
    pub(super) fn term(&mut self, rng: &mut Random, variables: &mut Vec<Term>, sort: Sort, depth: usize) -> Term {
        if depth == 0 || rng.once_in(6) {
            return leaf(rng, variables, sort);
        }
        if self.quantifiers && rng.once_in(8) {
            match *sort.kind() {
                SortKind::Bool => return self.quantified(rng, variables, depth),
                SortKind::Array(index, element) => {
                    let bound = self.bind(rng, index);
                    let body = self.under(rng, variables, std::slice::from_ref(&bound), element, depth);
                    return Term::new(Op::Lambda(vec![bound]), &[body]);
                }
                _ => {}
            }
        }
        let Some((op, sorts)) = self.signatures.get(&sort).map(|rows| rng.pick(rows).clone()) else {
            return leaf(rng, variables, sort);
        };
        let arguments: Vec<Term> = sorts.iter().map(|s| self.term(rng, variables, *s, depth - 1)).collect();
        Term::new(op, &arguments)
    }

    fn quantified(&mut self, rng: &mut Random, variables: &mut Vec<Term>, depth: usize) -> Term {
        let sorts: Vec<Sort> = (0..1 + rng.below(2)).map(|_| *rng.pick(&self.sorts)).collect();
        let bound: Vec<Term> = sorts.into_iter().map(|sort| self.bind(rng, sort)).collect();
        let mut arguments = vec![self.under(rng, variables, &bound, Sort::bool(), depth)];
        if rng.once_in(3) {
            let sort = *rng.pick(&self.sorts.clone());
            arguments.push(match Value::zero(sort) {
                Some(_) => self.under(rng, variables, &bound, sort, depth),
                None => bound[0],
            });
        }
        Term::new(if rng.once_in(2) { Op::Forall(bound) } else { Op::Exists(bound) }, &arguments)
    }

    /// A variable to be bound; its name is new.
    fn bind(&mut self, rng: &mut Random, sort: Sort) -> Term {
        self.bound += 1;
        let name = if rng.once_in(4) { format!("bound variable {}", self.bound) } else { format!("$b{}", self.bound) };
        Term::var(name.as_str(), sort)
    }

    /// A term in which the bound variables may occur too.
    fn under(&mut self, rng: &mut Random, variables: &mut Vec<Term>, bound: &[Term], sort: Sort, depth: usize) -> Term {
        let outer = variables.len();
        variables.extend(bound);
        let body = self.term(rng, variables, sort, depth - 1);
        variables.truncate(outer);
        body
    }
}

fn leaf(rng: &mut Random, variables: &[Term], sort: Sort) -> Term {
    let fitting: Vec<Term> = variables.iter().copied().filter(|v| v.sort() == sort).collect();
    if fitting.is_empty() || rng.once_in(4) && Value::zero(sort).is_some() {
        return Term::constant(rng.value(sort));
    }
    *rng.pick(&fitting)
}
