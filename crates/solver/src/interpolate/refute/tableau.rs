//! Constraints of literals in a simplex tableau.
//!
//! There is one tableau for the whole problem and one for each group, so that what contradicts itself within a group is
//! found there, quickly and with few literals.

use super::atoms::{Atoms, Meaning};
use super::lemma::Lemma;
use super::sat::Lit;
use arithmetic::Rational;
use arithmetic::simplex::{Side, Simplex, Value, Variable};
use rustc_hash::FxHashMap;
use term::{Sort, Term};

pub(super) struct Tableau {
    simplex: Simplex<Lit>,
    columns: FxHashMap<Term, Variable>,
    /// The variable of each form, by the form's number.
    forms: FxHashMap<usize, Variable>,
}

impl Tableau {
    pub fn new() -> Tableau {
        Tableau { simplex: Simplex::new(), columns: FxHashMap::default(), forms: FxHashMap::default() }
    }

    /// The variable of a column.
    pub fn column(&mut self, column: Term) -> Variable {
        *self.columns.entry(column).or_insert_with(|| self.simplex.column())
    }

    /// The value of a column that is known, after a check without contradiction.
    pub fn value(&self, column: Term) -> Option<&Value> {
        self.columns.get(&column).map(|variable| self.simplex.value(*variable))
    }

    /// An integer column that has a fraction for a value.
    pub fn fractional(&self) -> Option<(Term, &Rational)> {
        let integers = self.columns.iter().filter(|(column, _)| column.sort() == Sort::int());
        let values = integers.map(|(column, variable)| (*column, &self.simplex.value(*variable).standard));
        values.filter(|(_, value)| !value.is_integer()).min_by_key(|(column, _)| *column)
    }

    fn form(&mut self, atoms: &Atoms, number: usize) -> Variable {
        if let Some(known) = self.forms.get(&number) {
            return *known;
        }
        let sum = &atoms.forms[number].sum.columns;
        let parts: Vec<(Variable, Rational)> =
            sum.iter().map(|(column, factor)| (self.column(*column), factor.clone())).collect();
        let variable = match &parts[..] {
            [(only, factor)] if *factor == Rational::ONE => *only,
            _ => self.simplex.form(&parts),
        };
        self.forms.insert(number, variable);
        variable
    }

    /// Looks for values that satisfy the constraints among the literals, or a lemma that excludes them.
    pub fn check(&mut self, atoms: &Atoms, literals: impl IntoIterator<Item = Lit>) -> Result<(), Lemma> {
        self.simplex.clear();
        for literal in literals {
            let Meaning::Bound { form, limit, strict } = atoms.meaning(literal.var()) else { continue };
            let variable = self.form(atoms, *form);
            let (side, value) = match (literal.is_positive(), atoms.forms[*form].integral) {
                (true, _) => (Side::Upper, Value::new(limit.clone(), -i64::from(*strict))),
                (false, true) => (Side::Lower, Value::new(limit.plus(&Rational::ONE), 0)),
                (false, false) => (Side::Lower, Value::new(limit.clone(), i64::from(!strict))),
            };
            self.simplex.bound(variable, side, value, literal).map_err(Lemma::Linear)?;
        }
        self.simplex.check().map_err(Lemma::Linear)
    }
}
