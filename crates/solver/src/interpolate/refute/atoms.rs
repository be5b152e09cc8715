//! The atoms of a problem, and the Boolean variables that stand for them.
//!
//! A linear constraint is a bound of a form: a sum of columns whose factors are integers without a common divisor, the
//! first one positive. So constraints that say the same, or the opposite, share a variable. An equation of numbers is no
//! atom: it is two bounds.

use super::sat::{Lit, Sat, Var};
use arithmetic::simplex::Side;
use arithmetic::terms::{self, Sums};
use arithmetic::{Rational, Sum};
use rustc_hash::{FxHashMap, FxHashSet};
use term::{Term, build};

/// What a Boolean variable stands for.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Meaning {
    /// A part of a formula of one group.
    Gate,
    /// A Boolean term that is not looked into.
    Proposition(Term),
    /// The form is at most the limit, or below it if strict. Forms over the integers have integers for limits and are
    /// never strict.
    Bound { form: usize, limit: Rational, strict: bool },
    /// Two terms that are not numbers are equal; the older one is first.
    Equal(Term, Term),
}

/// A formula's literal, or what it is known to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Signed {
    Known(bool),
    Literal(Lit),
}

impl std::ops::Not for Signed {
    type Output = Signed;

    fn not(self) -> Signed {
        match self {
            Signed::Known(b) => Signed::Known(!b),
            Signed::Literal(l) => Signed::Literal(!l),
        }
    }
}

/// A sum without constant whose bounds are atoms.
pub(super) struct Form {
    pub sum: Sum<Term>,
    pub integral: bool,
    /// The bounds that are atoms, by limit and strictness, the strict one first.
    pub bounds: Vec<(Rational, bool, Var)>,
    /// Pairs of bounds of which it was said that the first implies the second.
    pub ordered: FxHashSet<(Var, Var)>,
}

#[derive(Default)]
pub(super) struct Atoms {
    pub sums: Sums,
    pub forms: Vec<Form>,
    form_numbers: FxHashMap<Vec<(Term, Rational)>, usize>,
    meanings: Vec<Meaning>,
    variables: FxHashMap<Meaning, Var>,
}

impl Atoms {
    pub fn meaning(&self, var: Var) -> &Meaning {
        &self.meanings[var as usize]
    }

    pub fn gate(&mut self, sat: &mut Sat) -> Lit {
        self.meanings.push(Meaning::Gate);
        Lit::new(sat.variable(), true)
    }

    fn variable(&mut self, sat: &mut Sat, meaning: Meaning) -> Var {
        if let Some(known) = self.variables.get(&meaning) {
            return *known;
        }
        let var = sat.variable();
        self.meanings.push(meaning.clone());
        self.variables.insert(meaning, var);
        var
    }

    pub fn proposition(&mut self, sat: &mut Sat, term: Term) -> Lit {
        Lit::new(self.variable(sat, Meaning::Proposition(term)), true)
    }

    /// The literal of a Boolean term, if an atom is it.
    pub fn known_proposition(&self, term: Term) -> Option<Lit> {
        self.variables.get(&Meaning::Proposition(term)).map(|var| Lit::new(*var, true))
    }

    /// Whether two terms that are not numbers are equal.
    pub fn equal(&mut self, sat: &mut Sat, a: Term, b: Term) -> Signed {
        if a == b {
            return Signed::Known(true);
        }
        if a.value().is_some() && b.value().is_some() {
            return Signed::Known(false);
        }
        Signed::Literal(Lit::new(self.variable(sat, Meaning::Equal(a.min(b), a.max(b))), true))
    }

    /// Whether `sum <= 0`, or `sum < 0`.
    pub fn at_most_zero(&mut self, sat: &mut Sat, sum: &Sum<Term>, strict: bool) -> Signed {
        let Some((_, first)) = sum.columns.first() else {
            let holds = if strict { sum.constant.is_negative() } else { !sum.constant.is_positive() };
            return Signed::Known(holds);
        };
        let upper = first.is_positive();
        let scale = if upper { sum.scale() } else { sum.scale().negated() };
        let scaled = sum.times(&scale);
        let limit = scaled.constant.negated();
        let form = self.form(Sum { constant: Rational::ZERO, ..scaled });
        self.bound(sat, form, if upper { Side::Upper } else { Side::Lower }, limit, strict)
    }

    /// The literal that bounds a form from one side.
    pub fn bound(&mut self, sat: &mut Sat, form: usize, side: Side, limit: Rational, strict: bool) -> Signed {
        let integral = self.forms[form].integral;
        // A lower bound is the negation of an upper bound: not (form < limit), not (form <= limit).
        let (mut limit, mut strict, positive) = match side {
            Side::Upper => (limit, strict, true),
            Side::Lower => (limit, !strict, false),
        };
        if integral {
            // form < limit is form <= ceil(limit) - 1, and form <= limit is form <= floor(limit).
            let whole = limit.is_integer();
            limit = limit.floor();
            if strict && whole {
                limit = limit.minus(&Rational::ONE);
            }
            strict = false;
        }
        let var = self.variable(sat, Meaning::Bound { form, limit: limit.clone(), strict });
        let bounds = &mut self.forms[form].bounds;
        // Among bounds of one limit the strict one is the stronger.
        let key = |limit: &Rational, strict: bool| (limit.clone(), !strict);
        if let Err(at) = bounds.binary_search_by_key(&key(&limit, strict), |(l, s, _)| key(l, *s)) {
            bounds.insert(at, (limit, strict, var));
        }
        Signed::Literal(Lit::new(var, positive))
    }

    fn form(&mut self, sum: Sum<Term>) -> usize {
        if let Some(known) = self.form_numbers.get(&sum.columns) {
            return *known;
        }
        let number = self.forms.len();
        self.form_numbers.insert(sum.columns.clone(), number);
        let integral = terms::is_integral(&sum);
        self.forms.push(Form { sum, integral, bounds: Vec::new(), ordered: FxHashSet::default() });
        number
    }

    /// A literal's constraint as `sum <= 0` or, if strict, `sum < 0`.
    pub fn inequality(&self, literal: Lit) -> Option<(Sum<Term>, bool)> {
        let Meaning::Bound { form, limit, strict } = self.meaning(literal.var()) else { return None };
        let form = &self.forms[*form];
        let above = form.sum.minus(&Sum::constant(limit.clone()));
        Some(match (literal.is_positive(), form.integral) {
            (true, _) => (above, *strict),
            (false, true) => (Sum::constant(Rational::ONE).minus(&above), false),
            (false, false) => (above.times(&Rational::from(-1)), !strict),
        })
    }

    /// The term that a literal stands for. Gates stand for none.
    pub fn term(&self, literal: Lit) -> Option<Term> {
        let signed = |term: Term| if literal.is_positive() { term } else { build::not(term) };
        Some(match self.meaning(literal.var()) {
            Meaning::Gate => return None,
            Meaning::Proposition(term) => signed(*term),
            Meaning::Equal(a, b) => signed(build::eq(*a, *b)),
            Meaning::Bound { .. } => {
                let (sum, strict) = self.inequality(literal)?;
                terms::at_most_zero(&sum, strict)
            }
        })
    }
}
