//! Finite unions of convex polyhedra over the rationals, with exact fractions.
//!
//! Constraints may be strict, so complements and differences are exact (polyhedra that are not necessarily closed: Bagnara, Ricci,
//! Zaffanella and Hill, "Possibly not closed convex polyhedra and the Parma Polyhedra Library", 2002). Projection is
//! Fourier-Motzkin elimination; after each step the simplex removes redundant constraints. Two polyhedra are merged where
//! their union is the envelope of both (Bemporad, Fukuda and Torrisi, "Convexity recognition of the union of polyhedra", 2001).
//!
//! Invariants: no polyhedron of a union is empty; each has all equations that it implies, and no redundant constraint.

mod system;
#[cfg(test)]
mod tests;

use crate::{Constraint, Relation, Stop, Variable};
use arithmetic::{Rational, Sum};
use limits::Limits;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use system::{Ask, Canonical, System};
use term::{Term, build};

/// Where unions of polyhedra come from. All of their operations end when the limits are exceeded.
#[derive(Clone)]
pub struct Reals(Rc<Limits>);

/// A finite union of polyhedra: a set of valuations of real variables. What it does not mention is free.
#[derive(Clone)]
pub struct Polyhedra {
    disjuncts: Vec<Polyhedron>,
    reals: Reals,
}

/// A convex polyhedron that is not empty.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Polyhedron(Canonical);

impl Reals {
    pub fn new(limits: &Limits) -> Reals {
        Reals(Rc::new(limits.clone()))
    }

    fn check(&self) -> Result<(), Stop> {
        self.0.exceeded().map_or(Ok(()), |exceeded| Err(exceeded.into()))
    }

    fn union(&self, disjuncts: Vec<Polyhedron>) -> Polyhedra {
        Polyhedra { disjuncts, reals: self.clone() }
    }

    /// All points.
    pub fn universe(&self) -> Polyhedra {
        self.union(vec![Polyhedron(Canonical::default())])
    }

    /// No point.
    pub fn empty(&self) -> Polyhedra {
        self.union(Vec::new())
    }

    /// The points that satisfy all constraints.
    pub fn satisfying(&self, constraints: &[Constraint]) -> Result<Polyhedra, Stop> {
        Ok(self.union(Polyhedron::new(constraints.iter().cloned(), &self.0)?.into_iter().collect()))
    }
}

impl Polyhedron {
    fn new(
        constraints: impl IntoIterator<Item = Constraint>,
        limits: &Limits,
    ) -> Result<Option<Polyhedron>, limits::Exceeded> {
        match Canonical::new(constraints) {
            Some(canonical) => Ok(canonical.minimise(limits)?.map(Polyhedron)),
            None => Ok(None),
        }
    }

    /// The constraints, of which none is redundant.
    pub fn constraints(&self) -> Vec<Constraint> {
        self.0.constraints()
    }

    fn with(
        &self,
        more: impl IntoIterator<Item = Constraint>,
        limits: &Limits,
    ) -> Result<Option<Polyhedron>, limits::Exceeded> {
        Polyhedron::new(self.constraints().into_iter().chain(more), limits)
    }

    /// Whether every point satisfies each of the constraints.
    fn satisfies(&self, constraints: &[Constraint], limits: &Limits) -> Result<Vec<bool>, limits::Exceeded> {
        let own = self.constraints();
        let mut system = System::new(own.iter().chain(constraints).map(|c| &c.sum), limits);
        let mut answers = Vec::with_capacity(constraints.len());
        for (n, constraint) in constraints.iter().enumerate() {
            let opposites = match constraint.relation {
                Relation::Zero => vec![Ask::Above, Ask::Holds(Relation::BelowZero)],
                relation => vec![Ask::opposite(relation)],
            };
            let mut holds = true;
            for opposite in opposites {
                let within = own.iter().enumerate().map(|(n, c)| (n, Ask::Holds(c.relation)));
                holds = holds && !system.feasible(within.chain([(own.len() + n, opposite)]))?;
            }
            answers.push(holds);
        }
        Ok(answers)
    }

    /// Whether each point is in the other polyhedron.
    fn entails(&self, other: &Polyhedron, limits: &Limits) -> Result<bool, limits::Exceeded> {
        Ok(self == other || self.satisfies(&other.constraints(), limits)?.iter().all(|holds| *holds))
    }

    /// The points that are not in the other polyhedron, in disjoint pieces.
    fn minus(&self, other: &Polyhedron, limits: &Limits) -> Result<Vec<Polyhedron>, limits::Exceeded> {
        let Some(_) = self.with(other.constraints(), limits)? else { return Ok(vec![self.clone()]) };
        let (mut rest, mut pieces) = (self.clone(), Vec::new());
        for constraint in other.constraints() {
            for negation in constraint.negations() {
                pieces.extend(rest.with([negation], limits)?);
            }
            match rest.with([constraint], limits)? {
                Some(smaller) => rest = smaller,
                None => break,
            }
        }
        Ok(pieces)
    }

    fn exists(&self, variables: &[Variable], limits: &Limits) -> Result<Polyhedron, limits::Exceeded> {
        let mut polyhedron = self.clone();
        let mut left: BTreeSet<Variable> = polyhedron.support().into_iter().filter(|v| variables.contains(v)).collect();
        while let Some(variable) = left.iter().copied().min_by_key(|variable| polyhedron.cost(*variable)) {
            left.remove(&variable);
            polyhedron = polyhedron.eliminate(variable, limits)?;
        }
        Ok(polyhedron)
    }

    /// How many constraints the elimination of a variable makes.
    fn cost(&self, variable: Variable) -> usize {
        let constraints = self.constraints();
        let occurs = |c: &&Constraint| !c.sum.factor(variable).is_zero();
        if constraints.iter().filter(occurs).any(|c| c.relation == Relation::Zero) {
            return 0;
        }
        let upper = constraints.iter().filter(|c| c.sum.factor(variable).is_positive()).count();
        let lower = constraints.iter().filter(|c| c.sum.factor(variable).is_negative()).count();
        upper * lower
    }

    /// Projects a variable out: by an equation that has it, otherwise by the sum of each upper with each lower bound.
    fn eliminate(&self, variable: Variable, limits: &Limits) -> Result<Polyhedron, limits::Exceeded> {
        let (with, mut rest): (Vec<Constraint>, Vec<Constraint>) =
            self.constraints().into_iter().partition(|c| !c.sum.factor(variable).is_zero());
        if let Some(at) = with.iter().position(|c| c.relation == Relation::Zero) {
            let factor = with[at].sum.factor(variable);
            let solved = Sum::column(variable).minus(&with[at].sum.times(&Rational::ONE.over(&factor)));
            let others = with.iter().enumerate().filter(|(n, _)| *n != at);
            rest.extend(
                others.map(|(_, c)| Constraint { sum: c.sum.substitute(variable, &solved), relation: c.relation }),
            );
        } else {
            let (upper, lower): (Vec<Constraint>, Vec<Constraint>) =
                with.into_iter().partition(|c| c.sum.factor(variable).is_positive());
            for above in &upper {
                for below in &lower {
                    let sum = above.sum.times(&below.sum.factor(variable).negated());
                    rest.push(Constraint {
                        sum: sum.plus(&below.sum.times(&above.sum.factor(variable))),
                        relation: above.relation.max(below.relation),
                    });
                }
            }
        }
        Ok(Polyhedron::new(rest, limits)?.expect("the projection of a set that is not empty is not empty"))
    }

    fn rename(
        &self,
        to: impl Fn(Variable) -> Variable,
        limits: &Limits,
    ) -> Result<Option<Polyhedron>, limits::Exceeded> {
        let support = self.support();
        let renamed = self.constraints().into_iter().map(|c| Constraint { sum: c.sum.map(&to), ..c });
        if support.iter().map(|v| to(*v)).collect::<BTreeSet<_>>().len() == support.len() {
            let same = Canonical::new(renamed).expect("another name makes no contradiction");
            return Ok(Some(Polyhedron(same)));
        }
        Polyhedron::new(renamed, limits)
    }

    /// The union of two polyhedra, if it is one.
    fn merge(&self, other: &Polyhedron, limits: &Limits) -> Result<Option<Polyhedron>, limits::Exceeded> {
        let mut envelope = Vec::new();
        for (one, another) in [(self, other), (other, self)] {
            let bounds: Vec<Constraint> = one.constraints().into_iter().flat_map(bounds).collect();
            let valid = another.satisfies(&bounds, limits)?;
            envelope.extend(bounds.into_iter().zip(valid).filter(|(_, valid)| *valid).map(|(bound, _)| bound));
        }
        let envelope = Polyhedron::new(envelope, limits)?.expect("it has the points of both");
        for piece in envelope.minus(self, limits)? {
            if !piece.entails(other, limits)? {
                return Ok(None);
            }
        }
        Ok(Some(envelope))
    }

    fn support(&self) -> BTreeSet<Variable> {
        let constraints = self.constraints();
        constraints.iter().flat_map(|c| c.sum.columns.iter().map(|(variable, _)| *variable)).collect()
    }
}

/// An equation as two inequalities.
fn bounds(constraint: Constraint) -> Vec<Constraint> {
    match constraint.relation {
        Relation::Zero => vec![
            Constraint::at_most_zero(constraint.sum.times(&Rational::from(-1))),
            Constraint::at_most_zero(constraint.sum),
        ],
        _ => vec![constraint],
    }
}

impl Polyhedra {
    pub fn disjuncts(&self) -> &[Polyhedron] {
        &self.disjuncts
    }

    pub fn or(&self, other: &Polyhedra) -> Result<Polyhedra, Stop> {
        let mut disjuncts = self.disjuncts.clone();
        disjuncts.extend(other.disjuncts.iter().filter(|d| !self.disjuncts.contains(d)).cloned());
        Ok(self.reals.union(disjuncts))
    }

    pub fn and(&self, other: &Polyhedra) -> Result<Polyhedra, Stop> {
        self.reals.check()?;
        let mut disjuncts = Vec::new();
        for a in &self.disjuncts {
            for b in &other.disjuncts {
                disjuncts.extend(a.with(b.constraints(), &self.reals.0)?);
            }
        }
        Ok(self.reals.union(disjuncts))
    }

    pub fn minus(&self, other: &Polyhedra) -> Result<Polyhedra, Stop> {
        self.reals.check()?;
        let mut pieces = self.disjuncts.clone();
        for b in &other.disjuncts {
            let mut left = Vec::new();
            for piece in pieces {
                left.extend(piece.minus(b, &self.reals.0)?);
            }
            pieces = left;
        }
        Ok(self.reals.union(pieces))
    }

    pub fn not(&self) -> Result<Polyhedra, Stop> {
        self.reals.universe().minus(self)
    }

    /// The points that are in the set for some values of the variables.
    pub fn exists(&self, variables: &[Variable]) -> Result<Polyhedra, Stop> {
        self.reals.check()?;
        let projected = self.disjuncts.iter().map(|d| d.exists(variables, &self.reals.0));
        Ok(self.reals.union(projected.collect::<Result<_, _>>()?))
    }

    /// The set with the second variable of each pair in the place of the first, all at the same time.
    pub fn rename(&self, pairs: &[(Variable, Variable)]) -> Result<Polyhedra, Stop> {
        let to = |variable| pairs.iter().find(|(from, _)| *from == variable).map_or(variable, |(_, to)| *to);
        let mut disjuncts = Vec::new();
        for disjunct in &self.disjuncts {
            disjuncts.extend(disjunct.rename(to, &self.reals.0)?);
        }
        Ok(self.reals.union(disjuncts))
    }

    /// The image under assignments that happen at the same time.
    pub fn assign(&self, assignments: &[(Variable, Sum<Variable>)]) -> Result<Polyhedra, Stop> {
        let read = assignments.iter().flat_map(|(_, sum)| sum.columns.iter().map(|(variable, _)| *variable));
        let written = assignments.iter().map(|(variable, _)| *variable);
        let fresh = read.chain(written).chain(self.support()).max().map_or(0, |last| last + 1);
        let old: Vec<(Variable, Variable)> = assignments.iter().map(|(v, _)| *v).zip(fresh..).collect();
        let before = |v: Variable| old.iter().find(|(written, _)| *written == v).map_or(v, |(_, before)| *before);
        let updates: Vec<Constraint> = assignments
            .iter()
            .map(|(variable, sum)| Constraint::zero(Sum::column(*variable).minus(&sum.map(before))))
            .collect();
        let quantified: Vec<Variable> = old.iter().map(|(_, before)| *before).collect();
        self.rename(&old)?.and(&self.reals.satisfying(&updates)?)?.exists(&quantified)
    }

    pub fn is_empty(&self) -> bool {
        self.disjuncts.is_empty()
    }

    /// Whether each point of this set is in the other.
    pub fn entails(&self, other: &Polyhedra) -> Result<bool, Stop> {
        self.reals.check()?;
        for disjunct in &self.disjuncts {
            let mut within_one = false;
            for candidate in &other.disjuncts {
                within_one = within_one || disjunct.entails(candidate, &self.reals.0)?;
            }
            if !within_one && !self.reals.union(vec![disjunct.clone()]).minus(other)?.is_empty() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    pub fn equals(&self, other: &Polyhedra) -> Result<bool, Stop> {
        Ok(self.entails(other)? && other.entails(self)?)
    }

    /// The same set with fewer disjuncts: those within others are dropped, and two whose union is convex become one.
    pub fn coalesce(&self) -> Result<Polyhedra, Stop> {
        self.reals.empty().join(self)
    }

    /// The union, in which the disjuncts of the other set are merged with those of this one, which is coalesced already.
    pub fn join(&self, other: &Polyhedra) -> Result<Polyhedra, Stop> {
        self.reals.check()?;
        let (mut done, mut pending) = (self.disjuncts.clone(), other.disjuncts.clone());
        'next: while let Some(candidate) = pending.pop() {
            for at in 0..done.len() {
                if let Some(merged) = candidate.merge(&done[at], &self.reals.0)? {
                    done.remove(at);
                    pending.push(merged);
                    continue 'next;
                }
            }
            done.push(candidate);
        }
        Ok(self.reals.union(done))
    }

    /// The variables that constraints speak of.
    pub fn support(&self) -> BTreeSet<Variable> {
        self.disjuncts.iter().flat_map(Polyhedron::support).collect()
    }

    /// The number of linear equations and inequalities.
    pub fn linear_constraints(&self) -> usize {
        self.disjuncts.iter().map(|disjunct| disjunct.constraints().len()).sum()
    }

    /// Whether a point is in the set.
    pub fn contains(&self, value: &dyn Fn(Variable) -> Rational) -> bool {
        self.disjuncts.iter().any(|disjunct| disjunct.constraints().iter().all(|constraint| constraint.holds(value)))
    }

    /// The values of the variables at some point of the set; what is not mentioned is free.
    pub fn model(&self) -> Result<Option<BTreeMap<Variable, Rational>>, Stop> {
        let Some(disjunct) = self.disjuncts.first() else { return Ok(None) };
        let constraints = disjunct.constraints();
        let mut system = System::new(constraints.iter().map(|c| &c.sum), &self.reals.0);
        let all = constraints.iter().enumerate().map(|(n, c)| (n, Ask::Holds(c.relation)));
        assert!(system.feasible(all)?, "no polyhedron is empty");
        Ok(Some(system.point(&constraints)))
    }

    /// The set as a term, where `name` gives the term of each variable.
    pub fn to_term(&self, name: &dyn Fn(Variable) -> Term) -> Term {
        let conjunction = |disjunct: &Polyhedron| {
            build::and(disjunct.constraints().iter().map(|constraint| constraint.to_term(name)).collect::<Vec<_>>())
        };
        build::or(self.disjuncts.iter().map(conjunction).collect::<Vec<_>>())
    }
}
