//! Composite symbolic formulas over Booleans, integers and reals.
//!
//! After Section 3 of Yang, Wang, Gupta and Ivančić, "Model checking sequential software programs via mixed symbolic
//! analysis" (2009). A formula is in disjunctive normal form, `F = OR_i (F_i^B AND F_i^I AND F_i^R)`: each disjunct, an
//! [`Atom`], has a Boolean formula, a Presburger formula and a union of polyhedra. The three share no variables.
//!
//! | paper | here |
//! |---|---|
//! | Definition 3.1 | [`Composite`], [`Atom`] |
//! | Equation 1, union | [`Composite::or`] |
//! | Equation 2, conjunction | [`Composite::and`] |
//! | Equation 3, negation | [`Composite::not`], [`Composite::minus`] |
//! | Equation 4, existential quantification | [`Composite::exists`] |
//! | Section 7.1, post-condition | [`Composite::post`] |
//! | Table II, number of linear constraints | [`Composite::linear_constraints`] |
//!
//! Deviation: Equation 3 as printed has three disjuncts and loses states. The negation of a disjunction is the
//! conjunction of all `NOT f_i^B OR NOT f_i^I OR NOT f_i^R`, which has up to 3^n disjuncts, as the text says; here they
//! are disjoint, and empty ones are dropped as soon as they occur.
//!
//! Invariant: no part of an atom is empty, so a formula without atoms is the only one without states.

#[cfg(test)]
mod tests;

use crate::bdd::{self, Bdd, Bdds};
use crate::polyhedra::{Polyhedra, Reals};
use crate::presburger::{Presburger, Presburgers};
use crate::{Stop, Variable};
use arithmetic::Rational;
use dashu::integer::IBig;
use limits::Limits;
use std::cell::{OnceCell, RefCell, RefMut};
use std::collections::BTreeMap;
use std::rc::Rc;
use term::{Term, build};

/// Where composite formulas come from that can be combined with each other.
#[derive(Clone)]
pub struct Composites(Rc<Managers>);

struct Managers {
    booleans: RefCell<Bdds>,
    integers: Presburgers,
    reals: Reals,
    limits: Limits,
}

/// A composite formula: the disjunction of its atoms.
#[derive(Clone)]
pub struct Composite {
    disjuncts: Rc<Disjuncts>,
    managers: Composites,
}

/// Atoms, which never change, with what was counted of them.
struct Disjuncts {
    atoms: Vec<Atom>,
    linear_constraints: OnceCell<usize>,
    nodes: OnceCell<usize>,
}

/// A conjunction `F^B AND F^I AND F^R`.
#[derive(Clone)]
pub struct Atom {
    pub boolean: Bdd,
    pub integer: Presburger,
    pub real: Polyhedra,
}

/// A set of variables of each kind, to be quantified.
#[derive(Clone)]
pub struct Variables {
    /// Their conjunction.
    booleans: Bdd,
    integers: Vec<Variable>,
    reals: Vec<Variable>,
}

/// Pairs of variables, of which the second replaces the first, all at the same time.
pub struct Renaming {
    booleans: bdd::Renaming,
    integers: Vec<(Variable, Variable)>,
    reals: Vec<(Variable, Variable)>,
}

/// Values of variables of each kind. What is not listed can have any value.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Valuation {
    pub booleans: BTreeMap<Variable, bool>,
    pub integers: BTreeMap<Variable, IBig>,
    pub reals: BTreeMap<Variable, Rational>,
}

/// The terms that variables of each kind stand for.
pub struct Names<'a> {
    pub boolean: &'a dyn Fn(Variable) -> Term,
    pub integer: &'a dyn Fn(Variable) -> Term,
    pub real: &'a dyn Fn(Variable) -> Term,
}

impl Composites {
    /// Formulas whose Boolean parts live in the given manager.
    pub fn new(booleans: Bdds, limits: &Limits) -> Composites {
        Composites(Rc::new(Managers {
            booleans: RefCell::new(booleans),
            integers: Presburgers::new(limits),
            reals: Reals::new(limits),
            limits: limits.clone(),
        }))
    }

    /// The manager of Boolean parts.
    pub fn booleans(&self) -> RefMut<'_, Bdds> {
        self.0.booleans.borrow_mut()
    }

    /// The manager of integer parts.
    pub fn integers(&self) -> &Presburgers {
        &self.0.integers
    }

    /// The manager of real parts.
    pub fn reals(&self) -> &Reals {
        &self.0.reals
    }

    fn of(&self, atoms: Vec<Atom>) -> Composite {
        let disjuncts = Disjuncts { atoms, linear_constraints: OnceCell::new(), nodes: OnceCell::new() };
        Composite { disjuncts: Rc::new(disjuncts), managers: self.clone() }
    }

    /// Within the limits still?
    fn check(&self) -> Result<(), Stop> {
        self.0.limits.exceeded().map_or(Ok(()), |exceeded| Err(exceeded.into()))
    }

    /// No state.
    pub fn falsehood(&self) -> Composite {
        self.of(Vec::new())
    }

    /// All states.
    pub fn truth(&self) -> Result<Composite, Stop> {
        self.boolean(self.booleans().constant(true))
    }

    /// The formula with one atom, or none if a part of it is empty.
    pub fn atom(&self, boolean: Bdd, integer: Presburger, real: Polyhedra) -> Result<Composite, Stop> {
        Ok(self.of(Atom { boolean, integer, real }.unless_empty()?.into_iter().collect()))
    }

    pub fn boolean(&self, boolean: Bdd) -> Result<Composite, Stop> {
        self.atom(boolean, self.integers().universe()?, self.reals().universe())
    }

    pub fn integer(&self, integer: Presburger) -> Result<Composite, Stop> {
        let boolean = self.booleans().constant(true);
        self.atom(boolean, integer, self.reals().universe())
    }

    pub fn real(&self, real: Polyhedra) -> Result<Composite, Stop> {
        let boolean = self.booleans().constant(true);
        self.atom(boolean, self.integers().universe()?, real)
    }

    pub fn variables(
        &self,
        booleans: &[Variable],
        integers: &[Variable],
        reals: &[Variable],
    ) -> Result<Variables, Stop> {
        let booleans = self.booleans().variables(booleans)?;
        Ok(Variables { booleans, integers: integers.to_vec(), reals: reals.to_vec() })
    }

    pub fn renaming(
        &self,
        booleans: &[(Variable, Variable)],
        integers: &[(Variable, Variable)],
        reals: &[(Variable, Variable)],
    ) -> Result<Renaming, Stop> {
        let booleans = self.booleans().renaming(booleans)?;
        Ok(Renaming { booleans, integers: integers.to_vec(), reals: reals.to_vec() })
    }
}

impl Atom {
    /// The atom, unless a part of it is empty. The cheapest question comes first.
    fn unless_empty(self) -> Result<Option<Atom>, Stop> {
        let empty = self.boolean.is_false() || self.real.is_empty() || self.integer.is_empty()?;
        Ok((!empty).then_some(self))
    }

    fn and(&self, other: &Atom) -> Result<Option<Atom>, Stop> {
        let boolean = self.boolean.and(&other.boolean)?;
        if boolean.is_false() {
            return Ok(None);
        }
        let real = self.real.and(&other.real)?;
        if real.is_empty() {
            return Ok(None);
        }
        Atom { boolean, integer: self.integer.and(&other.integer)?, real }.unless_empty()
    }

    /// `self AND NOT other`, in disjoint atoms; the atom itself where the two have no state in common.
    fn minus(&self, other: &Atom) -> Result<Vec<Atom>, Stop> {
        if self.integer.is_alike(&other.integer)? && self.real.equals(&other.real)? {
            let left = Atom { boolean: self.boolean.minus(&other.boolean)?, ..self.clone() };
            return Ok(if left.boolean.is_false() { Vec::new() } else { vec![left] });
        }
        let Some(common) = self.and(other)? else { return Ok(vec![self.clone()]) };
        let pieces = [
            Atom { boolean: self.boolean.minus(&other.boolean)?, ..self.clone() },
            Atom {
                boolean: common.boolean.clone(),
                integer: self.integer.minus(&other.integer)?,
                real: self.real.clone(),
            },
            Atom { boolean: common.boolean, integer: common.integer, real: self.real.minus(&other.real)? },
        ];
        let mut atoms = Vec::with_capacity(pieces.len());
        for piece in pieces {
            atoms.extend(piece.unless_empty()?);
        }
        Ok(atoms)
    }

    fn entails(&self, other: &Atom) -> Result<bool, Stop> {
        Ok(self.boolean.entails(&other.boolean)?
            && self.real.entails(&other.real)?
            && self.integer.entails(&other.integer)?)
    }

    /// An atom that is the union of two: where one contains the other, or where they differ in one part only, as far as
    /// the form of integer parts tells.
    fn merge(&self, other: &Atom) -> Result<Option<Atom>, Stop> {
        let boolean = self.boolean == other.boolean;
        let real = self.real.equals(&other.real)?;
        if boolean && real {
            let integer = self.integer.join(&other.integer)?;
            return Ok(Some(Atom { integer, ..self.clone() }));
        }
        if (boolean || real) && self.integer.is_alike(&other.integer)? {
            return Ok(Some(Atom {
                boolean: self.boolean.or(&other.boolean)?,
                integer: self.integer.clone(),
                real: if real { self.real.clone() } else { self.real.join(&other.real)? },
            }));
        }
        if self.entails(other)? {
            return Ok(Some(other.clone()));
        }
        Ok(other.entails(self)?.then(|| self.clone()))
    }
}

impl Composite {
    pub fn atoms(&self) -> &[Atom] {
        &self.disjuncts.atoms
    }

    /// The formula without states, which can be combined with this one.
    pub fn none(&self) -> Composite {
        self.managers.falsehood()
    }

    /// Equation 1.
    pub fn or(&self, other: &Composite) -> Composite {
        self.managers.of([self.atoms(), other.atoms()].concat())
    }

    /// Equation 2: the pair-wise conjunctions.
    pub fn and(&self, other: &Composite) -> Result<Composite, Stop> {
        let mut atoms = Vec::new();
        for f in self.atoms() {
            for g in other.atoms() {
                self.managers.check()?;
                atoms.extend(f.and(g)?);
            }
        }
        Ok(self.managers.of(atoms))
    }

    /// Equation 3, as corrected above.
    pub fn not(&self) -> Result<Composite, Stop> {
        self.managers.truth()?.minus(self)
    }

    /// `self AND NOT other`: what the search calls `F \ S`.
    pub fn minus(&self, other: &Composite) -> Result<Composite, Stop> {
        let mut atoms = self.atoms().to_vec();
        for g in other.atoms() {
            let mut left = Vec::with_capacity(atoms.len());
            for f in &atoms {
                self.managers.check()?;
                left.extend(f.minus(g)?);
            }
            atoms = left;
        }
        Ok(self.managers.of(atoms))
    }

    /// Equation 4: quantification distributes over the parts, since they share no variables.
    pub fn exists(&self, variables: &Variables) -> Result<Composite, Stop> {
        self.managers.check()?;
        let atoms = self.atoms().iter().map(|f| {
            Ok(Atom {
                boolean: f.boolean.exists(&variables.booleans)?,
                integer: f.integer.exists(&variables.integers)?,
                real: f.real.exists(&variables.reals)?,
            })
        });
        Ok(self.managers.of(atoms.collect::<Result<_, Stop>>()?))
    }

    /// `EXISTS variables. self AND other`; the Boolean parts never build the conjunction.
    pub fn and_exists(&self, other: &Composite, variables: &Variables) -> Result<Composite, Stop> {
        let mut atoms = Vec::new();
        for f in self.atoms() {
            for g in other.atoms() {
                self.managers.check()?;
                let boolean = f.boolean.and_exists(&g.boolean, &variables.booleans)?;
                if boolean.is_false() {
                    continue;
                }
                let real = f.real.and(&g.real)?.exists(&variables.reals)?;
                if real.is_empty() {
                    continue;
                }
                let integer = f.integer.and(&g.integer)?.exists(&variables.integers)?;
                atoms.extend(Atom { boolean, integer, real }.unless_empty()?);
            }
        }
        Ok(self.managers.of(atoms))
    }

    pub fn rename(&self, renaming: &Renaming) -> Result<Composite, Stop> {
        let mut atoms = Vec::with_capacity(self.atoms().len());
        for f in self.atoms() {
            let renamed = Atom {
                boolean: f.boolean.rename(&renaming.booleans)?,
                integer: f.integer.rename(&renaming.integers)?,
                real: f.real.rename(&renaming.reals)?,
            };
            // Variables that become one can make a part empty.
            atoms.extend(renamed.unless_empty()?);
        }
        Ok(self.managers.of(atoms))
    }

    /// Section 7.1: the states after those of this set, `(EXISTS current. relation AND self)` with next variables
    /// renamed to current ones.
    pub fn post(&self, relation: &Composite, current: &Variables, next: &Renaming) -> Result<Composite, Stop> {
        self.and_exists(relation, current)?.rename(next)
    }

    pub fn is_empty(&self) -> bool {
        self.atoms().is_empty()
    }

    /// Whether each state of this formula is one of the other.
    pub fn entails(&self, other: &Composite) -> Result<bool, Stop> {
        for f in self.atoms() {
            let mut left = vec![f.clone()];
            for g in other.atoms() {
                let mut outside = Vec::new();
                for piece in &left {
                    self.managers.check()?;
                    outside.extend(piece.minus(g)?);
                }
                left = outside;
                if left.is_empty() {
                    break;
                }
            }
            if !left.is_empty() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    pub fn equals(&self, other: &Composite) -> Result<bool, Stop> {
        Ok(self.entails(other)? && other.entails(self)?)
    }

    /// The same formula with fewer atoms: one that contains another takes its place, and two that differ in one part
    /// become one with the union of that part.
    pub fn simplify(&self) -> Result<Composite, Stop> {
        self.managers.falsehood().join(self)
    }

    /// The union, in which the atoms of the other formula are merged with those of this one, which is simplified
    /// already.
    pub fn join(&self, other: &Composite) -> Result<Composite, Stop> {
        let coalesced = other
            .atoms()
            .iter()
            .map(|f| Ok(Atom { boolean: f.boolean.clone(), integer: f.integer.coalesce()?, real: f.real.coalesce()? }));
        let mut done = self.atoms().to_vec();
        let mut pending = coalesced.collect::<Result<Vec<_>, Stop>>()?;
        'next: while let Some(candidate) = pending.pop() {
            for at in 0..done.len() {
                self.managers.check()?;
                if let Some(merged) = done[at].merge(&candidate)? {
                    done.remove(at);
                    pending.push(merged);
                    continue 'next;
                }
            }
            done.push(candidate);
        }
        Ok(self.managers.of(done))
    }

    /// The number of linear equations and inequalities, on integers and on reals.
    pub fn linear_constraints(&self) -> Result<usize, Stop> {
        if let Some(known) = self.disjuncts.linear_constraints.get() {
            return Ok(*known);
        }
        let of = |f: &Atom| Ok(f.integer.linear_constraints()? + f.real.linear_constraints());
        let count = self.atoms().iter().map(of).sum::<Result<usize, Stop>>()?;
        Ok(*self.disjuncts.linear_constraints.get_or_init(|| count))
    }

    /// The number of nodes of the Boolean parts.
    pub fn nodes(&self) -> usize {
        *self.disjuncts.nodes.get_or_init(|| self.atoms().iter().map(|f| f.boolean.size()).sum())
    }

    /// Some state, if there is one.
    pub fn model(&self) -> Result<Option<Valuation>, Stop> {
        let Some(f) = self.atoms().first() else { return Ok(None) };
        Ok(Some(Valuation {
            booleans: f.boolean.model().into_iter().flatten().collect(),
            integers: f.integer.model()?.unwrap_or_default(),
            reals: f.real.model()?.unwrap_or_default(),
        }))
    }

    /// Whether a state satisfies the formula; variables without a value are false or zero.
    pub fn contains(&self, state: &Valuation) -> Result<bool, Stop> {
        let boolean = |v: Variable| state.booleans.get(&v).copied().unwrap_or(false);
        let integer = |v: Variable| state.integers.get(&v).cloned().unwrap_or(IBig::ZERO);
        let real = |v: Variable| state.reals.get(&v).cloned().unwrap_or(Rational::ZERO);
        for f in self.atoms() {
            if f.boolean.contains(boolean) && f.real.contains(&real) && f.integer.contains(&integer)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The formula as a term without quantifiers.
    pub fn to_term(&self, names: &Names) -> Result<Term, Stop> {
        let atom = |f: &Atom| {
            let integer = f.integer.to_term(names.integer)?;
            Ok(build::and([f.boolean.to_term(names.boolean), integer, f.real.to_term(names.real)]))
        };
        Ok(build::or(self.atoms().iter().map(atom).collect::<Result<Vec<_>, Stop>>()?))
    }
}
