//! Frame conditions as equations.
//!
//! `forall x :: x == p || A[x] == B[x]` says that the maps A and B differ at p at most. Preludes write it in the contracts of what
//! allocates and frees. The same is said by `A == B[p := A[p]]`, which can be computed and decided.

use term::build::{eq, select, store};
use term::free::Free;
use term::{Op, Term};

/// The equation that says what a formula says of all values of a variable, if it is a frame condition.
pub fn equation(bound: &[Term], body: Term) -> Option<Term> {
    let [x] = *bound else { return None };
    let parts = if *body.op() == Op::Or { body.args() } else { &[body][..] };
    let mut free = Free::new();
    let mut is_free_of_x = |term: Term| !free.of(term).contains(&x);
    let mut places = Vec::new();
    let mut maps = None;
    for part in parts {
        let (Op::Eq, [one, other]) = (part.op(), part.args()) else { return None };
        match (element(*one, x), element(*other, x)) {
            (Some(a), Some(b)) if maps.is_none() && is_free_of_x(a) && is_free_of_x(b) => maps = Some((a, b)),
            _ if *one == x && is_free_of_x(*other) => places.push(*other),
            _ if *other == x && is_free_of_x(*one) => places.push(*one),
            _ => return None,
        }
    }
    let (a, b) = maps?;
    Some(eq(a, places.iter().fold(b, |map, place| store(map, *place, select(a, *place)))))
}

/// The map of which a term is the element at x.
fn element(term: Term, x: Term) -> Option<Term> {
    match (term.op(), term.args()) {
        (Op::Select, [map, index]) if *index == x => Some(*map),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use term::Sort;
    use term::build::{not, or};

    #[test]
    fn frames_are_equations() {
        let map = |name: &str| Term::var(name, Sort::array(Sort::int(), Sort::bool()));
        let (a, b, x, p) = (map("a"), map("b"), Term::var("x", Sort::int()), Term::var("p", Sort::int()));
        let same = eq(select(a, x), select(b, x));
        assert_eq!(equation(&[x], same), Some(eq(a, b)));
        let differ = or([eq(x, p), same]);
        assert_eq!(equation(&[x], differ), Some(eq(a, store(b, p, select(a, p)))));
        assert_eq!(equation(&[x], or([not(eq(x, p)), same])), None);
        assert_eq!(equation(&[x, p], differ), None);
        assert_eq!(equation(&[x], eq(x, p)), None);
    }
}
