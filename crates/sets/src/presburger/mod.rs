//! Presburger sets: sets of integer points that linear equations, inequalities and congruences describe, on the library
//! isl.
//!
//! A [`Presburger`] is a set of valuations of integer variables; what it does not mention is free. It is a union of
//! conjunctions, each with constraints over variables and integer divisions (existential quantification leaves them behind). All operations are
//! exact. Sets belong to the manager that made the first of them ([`Presburgers`]), and to its thread.

mod isl;

use crate::{Constraint, Relation, Stop, Variable};
use arithmetic::{Rational, Sum};
use dashu::base::Sign;
use dashu::integer::{IBig, UBig};
use dashu::rational::RBig;
use isl::{Context, Owned, Val, dim};
use limits::Limits;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use term::{Term, build};

/// A set of isl, whose dimensions have no names.
type Points = Owned<isl::Set>;

/// Where sets live that can be combined with each other. All of their operations end when the limits are exceeded.
#[derive(Clone)]
pub struct Presburgers(Rc<Context>);

/// A set of integer points.
#[derive(Clone)]
pub struct Presburger {
    /// The variables of the dimensions, in ascending order.
    columns: Rc<[Variable]>,
    set: Points,
    /// How many disjuncts the last [`Presburger::coalesce`] left; 0 if the set was made by anything but unions since.
    coalesced: usize,
}

/// What a constraint of a conjunction is about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Column {
    Variable(Variable),
    /// A division of the conjunction, by its number.
    Division(usize),
}

/// A conjunction of constraints on variables and integer divisions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Conjunction {
    /// Each is the greatest integer that is at most the sum, which has fractions for factors.
    pub divisions: Vec<Sum<Column>>,
    /// The sums have integers for factors; none is below zero, which over integers is at most minus one.
    pub constraints: Vec<(Sum<Column>, Relation)>,
}

impl Presburgers {
    pub fn new(limits: &Limits) -> Presburgers {
        Presburgers(Context::new(limits))
    }

    /// All points.
    pub fn universe(&self) -> Result<Presburger, Stop> {
        Ok(Presburger { columns: [].into(), set: self.0.universe(0)?, coalesced: 1 })
    }

    /// No point.
    pub fn empty(&self) -> Result<Presburger, Stop> {
        Ok(Presburger { columns: [].into(), set: self.0.empty()?, coalesced: 0 })
    }

    /// The points that satisfy a constraint, whose factors may be fractions.
    pub fn satisfying(&self, constraint: &Constraint) -> Result<Presburger, Stop> {
        let sum = &constraint.sum;
        if sum.columns.is_empty() {
            // isl takes every set without dimensions that has only inequalities for the universe.
            return if constraint.relation.holds(&sum.constant) { self.universe() } else { self.empty() };
        }
        // With integers for factors without a common divisor, the columns' sum is any integer.
        let scaled = sum.times(&sum.scale());
        let whole = scaled.constant.is_integer();
        let ceiling = scaled.constant.negated().floor().negated();
        let constant = match constraint.relation {
            Relation::Zero if !whole => return self.empty(),
            Relation::BelowZero if whole => ceiling.plus(&Rational::ONE),
            _ => ceiling,
        };
        let columns: Rc<[Variable]> = scaled.columns.iter().map(|(variable, _)| *variable).collect();
        let universe = self.0.universe(columns.len())?;
        // isl compares with zero the other way round.
        let value = |number: &Rational| self.value(&number.negated());
        let factors = scaled.columns.iter().enumerate().map(|(at, (_, factor))| Ok((at, value(factor)?)));
        let factors = factors.collect::<Result<_, Stop>>()?;
        let set = universe.constrain(constraint.relation == Relation::Zero, value(&constant)?, factors)?;
        Ok(Presburger { columns, set, coalesced: 1 })
    }

    /// The points where a sum with integers for factors is a multiple of a positive number.
    pub fn congruent(&self, sum: &Sum<Variable>, modulus: &IBig) -> Result<Presburger, Stop> {
        let fresh = sum.columns.last().map_or(0, |(variable, _)| variable + 1);
        let multiple = Sum::column(fresh).times(&Rational::from(modulus.clone()));
        self.satisfying(&Constraint::zero(sum.minus(&multiple)))?.exists(&[fresh])
    }

    fn value(&self, number: &Rational) -> Result<Owned<Val>, Stop> {
        let (numerator, denominator) = number.to_big().into_parts();
        assert!(denominator == UBig::ONE, "constraints on integers have integers for factors");
        let (sign, magnitude) = numerator.into_parts();
        let bytes = magnitude.to_le_bytes();
        self.0.integer(sign == Sign::Negative, if bytes.is_empty() { &[0] } else { &bytes })
    }
}

fn rational(value: &Owned<Val>) -> Result<Rational, Stop> {
    let magnitude = |value: &Owned<Val>| Ok::<UBig, Stop>(UBig::from_le_bytes(&value.numerator()?));
    let sign = if value.is_negative() { Sign::Negative } else { Sign::Positive };
    let numerator = IBig::from_parts(sign, magnitude(value)?);
    Ok(Rational::from(RBig::from_parts(numerator, magnitude(&value.denominator()?)?)))
}

impl Presburger {
    fn combine(
        &self,
        other: &Presburger,
        operation: impl Fn(Points, Points) -> Result<Points, Stop>,
    ) -> Result<Presburger, Stop> {
        let columns = self.joint(other);
        let set = operation(self.spread(&columns)?, other.spread(&columns)?)?;
        Presburger { columns, set, coalesced: 0 }.tidy()
    }

    /// The columns of both.
    fn joint(&self, other: &Presburger) -> Rc<[Variable]> {
        self.assert_mixes(other);
        if self.columns == other.columns {
            return self.columns.clone();
        }
        let all: BTreeSet<Variable> = self.columns.iter().chain(other.columns.iter()).copied().collect();
        all.into_iter().collect()
    }

    /// The set with dimensions for all of these columns, which have its own among them.
    fn spread(&self, columns: &[Variable]) -> Result<Points, Stop> {
        let mut set = self.set.clone();
        let mut own = self.columns.iter().peekable();
        for (at, column) in columns.iter().enumerate() {
            if own.next_if_eq(&column).is_none() {
                set = set.insert_dims(at, 1)?;
            }
        }
        Ok(set)
    }

    /// The same set without dimensions that no constraint speaks of.
    fn tidy(self) -> Result<Presburger, Stop> {
        let Presburger { columns, mut set, coalesced } = self;
        let mut kept = Vec::with_capacity(columns.len());
        for column in columns.iter() {
            if set.involves(kept.len())? {
                kept.push(*column);
            } else {
                set = set.project_out(kept.len(), 1)?;
            }
        }
        let columns = if kept.len() == columns.len() { columns } else { kept.into() };
        Ok(Presburger { columns, set, coalesced })
    }

    fn assert_mixes(&self, other: &Presburger) {
        assert!(
            Rc::ptr_eq(self.set.context(), other.set.context()),
            "Presburger sets of different managers cannot be combined"
        );
    }

    pub fn and(&self, other: &Presburger) -> Result<Presburger, Stop> {
        self.assert_mixes(other);
        if self.is_universe()? {
            return Ok(other.clone());
        }
        if other.is_universe()? {
            return Ok(self.clone());
        }
        self.combine(other, Owned::intersect)
    }

    pub fn or(&self, other: &Presburger) -> Result<Presburger, Stop> {
        self.combine(other, Owned::union)
    }

    pub fn minus(&self, other: &Presburger) -> Result<Presburger, Stop> {
        self.combine(other, Owned::subtract)
    }

    pub fn not(&self) -> Result<Presburger, Stop> {
        Presburger { columns: self.columns.clone(), set: self.set.clone().complement()?, coalesced: 0 }.tidy()
    }

    /// The points that are in the set for some values of the variables.
    pub fn exists(&self, variables: &[Variable]) -> Result<Presburger, Stop> {
        let mut set = self.set.clone();
        let mut kept = Vec::with_capacity(self.columns.len());
        for column in self.columns.iter() {
            if variables.contains(column) {
                set = set.project_out(kept.len(), 1)?;
            } else {
                kept.push(*column);
            }
        }
        Presburger { columns: kept.into(), set, coalesced: 0 }.tidy()
    }

    /// The set with the second variable of each pair in the place of the first, all at the same time. A renaming that keeps the
    /// order of the set's variables costs nothing.
    pub fn rename(&self, pairs: &[(Variable, Variable)]) -> Result<Presburger, Stop> {
        let renamed = |column: &Variable| pairs.iter().find(|(from, _)| from == column).map_or(*column, |(_, to)| *to);
        let mut columns: Vec<Variable> = self.columns.iter().map(renamed).collect();
        let mut set = self.set.clone();
        for at in 0..columns.len() {
            let least = (at..columns.len()).min_by_key(|from| columns[*from]).expect("the range is not empty");
            if least != at {
                set = set.move_dim(least, at)?;
                let column = columns.remove(least);
                columns.insert(at, column);
            }
        }
        // Variables that have become one are equal.
        let context = Presburgers(set.context().clone());
        for at in (1..columns.len()).rev() {
            if columns[at - 1] == columns[at] {
                let factor = |number: i64| context.value(&Rational::from(number));
                set = set.constrain(true, factor(0)?, vec![(at - 1, factor(1)?), (at, factor(-1)?)])?;
                set = set.project_out(at, 1)?;
                columns.remove(at);
            }
        }
        Presburger { columns: columns.into(), set, coalesced: self.coalesced }.tidy()
    }

    pub fn is_empty(&self) -> Result<bool, Stop> {
        self.set.is_empty()
    }

    /// Whether each point of this set is in the other.
    pub fn entails(&self, other: &Presburger) -> Result<bool, Stop> {
        let columns = self.joint(other);
        self.spread(&columns)?.is_subset(&other.spread(&columns)?)
    }

    /// Whether no variable is constrained, and there are points.
    fn is_universe(&self) -> Result<bool, Stop> {
        Ok(self.columns.is_empty() && !self.is_empty()?)
    }

    /// Whether both sets are described alike. Equal sets need not be; comparing descriptions is cheap.
    pub fn is_alike(&self, other: &Presburger) -> Result<bool, Stop> {
        self.assert_mixes(other);
        Ok(self.columns == other.columns && self.set.is_alike(&other.set)?)
    }

    pub fn equals(&self, other: &Presburger) -> Result<bool, Stop> {
        Ok(self.entails(other)? && other.entails(self)?)
    }

    /// The same set with as few disjuncts as isl can find.
    pub fn coalesce(&self) -> Result<Presburger, Stop> {
        if self.coalesced == self.disjuncts()? {
            return Ok(self.clone());
        }
        let set = self.set.clone().detect_equalities()?.coalesce()?;
        let coalesced = set.n_basic_set()?;
        Presburger { columns: self.columns.clone(), set, coalesced }.tidy()
    }

    /// The union, coalesced when it has twice as many disjuncts as the last time: isl compares all pairs, which a set that
    /// grows step by step could not afford at each step.
    pub fn join(&self, other: &Presburger) -> Result<Presburger, Stop> {
        let coalesced = self.coalesced.max(other.coalesced);
        let union = Presburger { coalesced, ..self.or(other)? };
        if union.disjuncts()? < 2 * coalesced { Ok(union) } else { Presburger { coalesced: 0, ..union }.coalesce() }
    }

    /// The equations, also modulo numbers, that hold in all points: the least set of that form that contains this one.
    pub fn affine_hull(&self) -> Result<Presburger, Stop> {
        let set = self.set.clone().affine_hull()?;
        Presburger { columns: self.columns.clone(), set, coalesced: 1 }.tidy()
    }

    /// One conjunction that contains the set. Its constraints have the factors of some in the set.
    pub fn simple_hull(&self) -> Result<Presburger, Stop> {
        let set = self.set.clone().simple_hull()?;
        Presburger { columns: self.columns.clone(), set, coalesced: 1 }.tidy()
    }

    /// The variables that constraints speak of.
    pub fn support(&self) -> &[Variable] {
        &self.columns
    }

    /// The disjuncts, with every quantified variable as a division.
    pub fn conjunctions(&self) -> Result<Vec<Conjunction>, Stop> {
        let set = self.set.clone().compute_divs()?;
        set.basic_sets()?.iter().map(|disjunct| self.conjunction(disjunct)).collect()
    }

    fn conjunction(&self, disjunct: &Owned<isl::BasicSet>) -> Result<Conjunction, Stop> {
        let n = disjunct.dim(dim::DIV)?;
        let sum = |constant: Owned<Val>, of: &dyn Fn(Column, usize) -> Result<Owned<Val>, Stop>| {
            let variables = self.columns.iter().enumerate().map(|(at, variable)| (Column::Variable(*variable), at));
            let divisions = (0..n).map(|at| (Column::Division(at), at));
            let mut columns = Vec::new();
            for (column, at) in variables.chain(divisions) {
                let factor = rational(&of(column, at)?)?;
                if !factor.is_zero() {
                    columns.push((column, factor));
                }
            }
            Ok::<_, Stop>(Sum { columns, constant: rational(&constant)? })
        };
        let mut divisions = Vec::with_capacity(n);
        for at in 0..n {
            let aff = disjunct.division(at)?;
            divisions.push(sum(aff.constant()?, &|column, at| match column {
                Column::Variable(_) => aff.coefficient(dim::IN, at),
                Column::Division(_) => aff.coefficient(dim::DIV, at),
            })?);
        }
        let mut constraints = Vec::new();
        for constraint in disjunct.constraints()? {
            let sum = sum(constraint.constant()?, &|column, at| match column {
                Column::Variable(_) => constraint.coefficient(dim::SET, at),
                Column::Division(_) => constraint.coefficient(dim::DIV, at),
            })?;
            constraints.push(match constraint.is_equality()? {
                true => (sum, Relation::Zero),
                false => (sum.times(&Rational::from(-1)), Relation::AtMostZero),
            });
        }
        Ok(Conjunction { divisions, constraints })
    }

    /// The number of linear equations and inequalities, with those that tie quantified variables.
    pub fn linear_constraints(&self) -> Result<usize, Stop> {
        self.set.basic_sets()?.iter().map(Owned::n_constraint).sum()
    }

    /// The number of conjunctions.
    pub fn disjuncts(&self) -> Result<usize, Stop> {
        self.set.n_basic_set()
    }

    /// Whether a point is in the set.
    pub fn contains(&self, value: &dyn Fn(Variable) -> IBig) -> Result<bool, Stop> {
        Ok(self.conjunctions()?.iter().any(|conjunction| conjunction.contains(value)))
    }

    /// The values of the variables at some point of the set; what is not mentioned is free.
    pub fn model(&self) -> Result<Option<BTreeMap<Variable, IBig>>, Stop> {
        if self.is_empty()? {
            return Ok(None);
        }
        let point = self.set.clone().sample_point()?;
        let values = self.columns.iter().enumerate().map(|(at, column)| {
            let value = rational(&point.coordinate(at)?)?;
            Ok((*column, value.to_big().floor()))
        });
        values.collect::<Result<_, Stop>>().map(Some)
    }

    /// The set as a term without quantifiers, where `name` gives the term of each variable.
    pub fn to_term(&self, name: &dyn Fn(Variable) -> Term) -> Result<Term, Stop> {
        Ok(build::or(self.conjunctions()?.iter().map(|conjunction| conjunction.to_term(name)).collect::<Vec<_>>()))
    }
}

impl Conjunction {
    /// Whether a point is in the set.
    pub fn contains(&self, value: &dyn Fn(Variable) -> IBig) -> bool {
        let holds = |(sum, relation): &(Sum<Column>, Relation)| relation.holds(&sum.value(|c| self.value(c, value)));
        self.constraints.iter().all(holds)
    }

    fn value(&self, column: Column, value: &dyn Fn(Variable) -> IBig) -> Rational {
        match column {
            Column::Variable(variable) => Rational::from(value(variable)),
            Column::Division(n) => self.divisions[n].value(|inner| self.value(inner, value)).floor(),
        }
    }

    /// The conjunction as a term; divisions become remainders where they can, otherwise quotients.
    pub fn to_term(&self, name: &dyn Fn(Variable) -> Term) -> Term {
        let constraints = self.constraints.iter().map(|(sum, relation)| relation.to_term(&self.sum(sum, name)));
        build::and(constraints.collect::<Vec<_>>())
    }

    fn sum(&self, sum: &Sum<Column>, name: &dyn Fn(Variable) -> Term) -> Sum<Term> {
        let parts = sum.columns.iter().map(|(column, factor)| match column {
            Column::Variable(variable) => Sum::column(name(*variable)).times(factor),
            Column::Division(n) => self.division(*n, name, factor),
        });
        parts.fold(Sum::constant(sum.constant.clone()), |sum, part| sum.plus(&part))
    }

    /// A multiple of a division. Of `e / d`, a multiple of `d` is a multiple of `e - e mod d`.
    fn division(&self, n: usize, name: &dyn Fn(Variable) -> Term, factor: &Rational) -> Sum<Term> {
        let sum = self.sum(&self.divisions[n], name);
        let parts = sum.columns.iter().map(|(_, factor)| factor).chain([&sum.constant]);
        let divisor =
            parts.fold(UBig::ONE, |multiple, part| least_common_multiple(multiple, part.to_big().denominator()));
        let whole = Rational::from(divisor.clone());
        let dividend = sum.times(&whole);
        let (e, d) = (to_term(&dividend), build::int(IBig::from(divisor)));
        let often = factor.over(&whole);
        if often.is_integer() {
            dividend.minus(&Sum::column(build::int_mod(e, d))).times(&often)
        } else {
            Sum::column(build::int_div(e, d)).times(factor)
        }
    }
}

fn least_common_multiple(a: UBig, b: &UBig) -> UBig {
    use dashu::base::Gcd;
    &a / (&a).gcd(b) * b
}

/// A sum with integers for factors as a term.
fn to_term(sum: &Sum<Term>) -> Term {
    let integer = |number: &Rational| build::int(number.to_big().floor());
    let parts = sum.columns.iter().map(|(column, factor)| build::mul(*column, integer(factor)));
    parts.fold(integer(&sum.constant), build::add)
}

#[cfg(test)]
mod tests;
