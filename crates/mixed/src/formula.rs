//! Terms as composite formulas.
//!
//! A Boolean combination becomes one of formulas. What it combines is of one kind: circuits over Boolean variables, linear
//! constraints over integers, linear constraints over reals. Where kinds meet inside of a term, a variable of the relation's own stands for
//! the inner one, with its *definition*: `v = ite(c, a, b)`, quotients and remainders by constants, a condition inside of a circuit, the
//! number that few bits are. A definition says of every state what the value is, so it is a conjunct of the whole
//! relation, whatever stands around it.
//!
//! What has no exact formula is a *pseudo-input* (Section 5.5): a variable without a definition, the same for the same term. Then
//! the relation over-approximates, which [`Translator::pseudo_inputs`] counts.

use crate::gates::{Bit, Gates};
use crate::space::{Numbers, Place, Space};
use arithmetic::{Rational, Sum};
use rustc_hash::{FxHashMap, FxHashSet};
use sets::bdd::Bdd;
use sets::composite::Composite;
use sets::{Constraint, Relation, Stop, Variable};
use solver::circuits::{Circuits, Logic};
use std::rc::Rc;
use term::{Op, Sort, SortKind, Term, Value};

/// Numbers of so many bits are told apart one by one where they meet integers.
const FEW_BITS: u32 = 6;

/// Translates the terms of one relation.
pub struct Translator<'a> {
    space: &'a Space,
    /// Inputs and pseudo-inputs.
    inputs: FxHashMap<Term, Place>,
    taken: FxHashSet<Place>,
    /// The variable that is assigned.
    target: Option<(Place, Sort)>,
    next: (Variable, Variable, Variable),
    pub definitions: Vec<Composite>,
    /// What is to be quantified.
    pub own: Numbers,
    pub pseudo_inputs: usize,
    gates: Gates,
    vectors: FxHashMap<Term, Rc<[Bit]>>,
    sums: FxHashMap<Term, Sum<Variable>>,
    formulas: FxHashMap<(Term, bool), Composite>,
    pure: FxHashMap<Term, bool>,
}

impl<'a> Translator<'a> {
    /// For a block with these inputs.
    pub fn new(space: &'a Space, inputs: &[Term]) -> Translator<'a> {
        let mut translator = Translator {
            space,
            inputs: FxHashMap::default(),
            taken: FxHashSet::default(),
            target: None,
            next: space.free,
            definitions: Vec::new(),
            own: Numbers::default(),
            pseudo_inputs: 0,
            gates: Gates::new(&space.composites),
            vectors: FxHashMap::default(),
            sums: FxHashMap::default(),
            formulas: FxHashMap::default(),
            pure: FxHashMap::default(),
        };
        for input in inputs {
            // Next to the variable that it is an input of, which is likely to take its value.
            let reserved = space.place(input.at_instance(0)).map(Place::input);
            if let Some(place) = translator.reserved(reserved).or_else(|| translator.fresh(input.sort())) {
                translator.inputs.insert(*input, place);
            }
        }
        translator
    }

    /// A place that is free, if nothing else is there yet.
    fn reserved(&mut self, place: Option<Place>) -> Option<Place> {
        let place = place.filter(|place| self.taken.insert(place.clone()))?;
        self.own.add(&place);
        Some(place)
    }

    /// Where an input is.
    pub fn input(&self, input: Term) -> Option<&Place> {
        self.inputs.get(&input)
    }

    /// A variable of the relation's own; `None` for sorts that have no representation.
    fn fresh(&mut self, sort: Sort) -> Option<Place> {
        let mut bits = |count: u32| {
            let first = self.next.0;
            self.next.0 += count;
            Place::Bits((first..self.next.0).collect())
        };
        let place = match sort.kind() {
            SortKind::Bool => bits(1),
            SortKind::BitVec(width) => bits(*width),
            SortKind::Int => {
                self.next.1 += 1;
                Place::Integer(self.next.1 - 1)
            }
            SortKind::Real => {
                self.next.2 += 1;
                Place::Real(self.next.2 - 1)
            }
            _ => return None,
        };
        self.own.add(&place);
        Some(place)
    }

    /// Where the value of a term that has no formula is: of a variable, or of a pseudo-input.
    fn anywhere(&mut self, term: Term) -> Place {
        let known = self.space.place(term).or_else(|| self.inputs.get(&term));
        if let Some(place) = known {
            return place.clone();
        }
        self.pseudo_inputs += 1;
        let near = self.target.as_ref().filter(|(_, sort)| *sort == term.sort()).map(|(place, _)| place.input());
        let place = self.reserved(near).or_else(|| self.fresh(term.sort()));
        let place = place.expect("Booleans and numbers have representations");
        self.inputs.insert(term, place.clone());
        place
    }

    fn fresh_number(&mut self, sort: Sort) -> Variable {
        match self.fresh(sort) {
            Some(Place::Integer(variable) | Place::Real(variable)) => variable,
            place => unreachable!("{place:?} is no number"),
        }
    }

    fn constraint(&self, sort: Sort, sum: Sum<Variable>, relation: Relation) -> Result<Composite, Stop> {
        let (all, constraint) = (&self.space.composites, Constraint { sum, relation });
        match sort.kind() {
            SortKind::Int => all.integer(all.integers().satisfying(&constraint)?),
            _ => all.real(all.reals().satisfying(&[constraint])?),
        }
    }

    fn constant(&self, value: bool) -> Result<Composite, Stop> {
        if value { self.space.composites.truth() } else { Ok(self.space.composites.falsehood()) }
    }

    fn all(&mut self, terms: &[Term], hold: bool) -> Result<Composite, Stop> {
        let mut all = self.constant(true)?;
        for term in terms {
            all = simple(all.and(&self.formula(*term, hold)?)?)?;
        }
        Ok(all)
    }

    fn any(&mut self, terms: &[Term], hold: bool) -> Result<Composite, Stop> {
        let mut any = self.constant(false)?;
        for term in terms {
            any = any.join(&self.formula(*term, hold)?)?;
        }
        Ok(any)
    }

    /// A condition, or its negation.
    pub fn formula(&mut self, term: Term, holds: bool) -> Result<Composite, Stop> {
        if let Some(known) = self.formulas.get(&(term, holds)) {
            return Ok(known.clone());
        }
        let formula = self.translated(term, holds)?;
        self.formulas.insert((term, holds), formula.clone());
        Ok(formula)
    }

    fn translated(&mut self, term: Term, holds: bool) -> Result<Composite, Stop> {
        let args = term.args();
        if self.is_pure(term) {
            let bit = self.vector(term)?[0];
            return self.boolean(if holds { bit } else { !bit });
        }
        let sort = args.first().map_or(Sort::bool(), |arg| arg.sort());
        match (term.op(), args) {
            (Op::Not, [a]) => self.formula(*a, !holds),
            (Op::And, args) if holds => self.all(args, true),
            (Op::And, args) => self.any(args, false),
            (Op::Or, args) if holds => self.any(args, true),
            (Op::Or, args) => self.all(args, false),
            (Op::Implies, [a, b]) if holds => self.formula(*a, false)?.join(&self.formula(*b, true)?),
            (Op::Implies, [a, b]) => self.formula(*a, true)?.and(&self.formula(*b, false)?),
            (Op::Xor, [a, b]) => self.choice(*a, (*b, !holds), (*b, holds)),
            (Op::Eq, [a, b]) if sort.is_bool() => self.choice(*a, (*b, holds), (*b, !holds)),
            (Op::Ite, [c, a, b]) => self.choice(*c, (*a, holds), (*b, holds)),
            (Op::Eq, [a, b]) if is_number(sort) => {
                let difference = self.difference(*a, *b)?;
                if holds {
                    return self.constraint(sort, difference, Relation::Zero);
                }
                let opposite = difference.times(&Rational::from(-1));
                let below = self.constraint(sort, difference, Relation::BelowZero)?;
                below.join(&self.constraint(sort, opposite, Relation::BelowZero)?)
            }
            (op @ (Op::Le | Op::Lt), [a, b]) => {
                let (a, b) = (self.sum(*a)?, self.sum(*b)?);
                let is_strict = (*op == Op::Lt) == holds;
                let relation = if is_strict { Relation::BelowZero } else { Relation::AtMostZero };
                self.constraint(sort, if holds { a.minus(&b) } else { b.minus(&a) }, relation)
            }
            (Op::Eq | Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle, [a, b]) if sort.bv_width().is_some() => {
                let args = [self.vector(*a)?, self.vector(*b)?];
                let bit = self.gates.operate(term.op(), &args, 1).expect("comparisons are circuits")[0];
                self.boolean(if holds { bit } else { !bit })
            }
            _ => {
                let place = self.anywhere(term);
                let bit = self.bits(&place)?[0];
                self.boolean(if holds { bit } else { !bit })
            }
        }
    }

    fn boolean(&self, bit: Bit) -> Result<Composite, Stop> {
        self.space.composites.boolean(self.gates.diagram(bit)?)
    }

    /// One of two formulas, by a condition.
    fn choice(&mut self, condition: Term, then: (Term, bool), other: (Term, bool)) -> Result<Composite, Stop> {
        let first = self.formula(condition, true)?.and(&self.formula(then.0, then.1)?)?;
        first.join(&self.formula(condition, false)?.and(&self.formula(other.0, other.1)?)?)
    }

    /// That the next copy of a variable has the value of a term: `x' = e`.
    pub fn next(&mut self, current: &Place, value: Term) -> Result<Composite, Stop> {
        self.target = Some((current.clone(), value.sort()));
        self.assignment(&current.next(), value)
    }

    /// That a place, which is not read, has the value of a term.
    fn assignment(&mut self, place: &Place, value: Term) -> Result<Composite, Stop> {
        match place {
            Place::Bits(bits) if value.sort().is_bool() && !self.is_pure(value) => {
                let target = self.space.composites.booleans().variable(bits[0])?;
                let (yes, no) = (self.formula(value, true)?, self.formula(value, false)?);
                let all = &self.space.composites;
                let is = |value: Bdd, formula: &Composite| all.boolean(value)?.and(formula);
                is(target.clone(), &yes)?.join(&is(target.not()?, &no)?)
            }
            Place::Bits(_) => {
                let (targets, values) = (self.bits(place)?, self.vector(value)?);
                let equal = self.gates.same(&targets, &values);
                self.boolean(equal)
            }
            Place::Integer(variable) | Place::Real(variable) => self.is(*variable, value),
        }
    }

    /// That a variable is equal to a number.
    fn is(&mut self, variable: Variable, value: Term) -> Result<Composite, Stop> {
        if let (Op::Ite, [condition, a, b]) = (value.op(), value.args()) {
            let first = self.formula(*condition, true)?.and(&self.is(variable, *a)?)?;
            return first.join(&self.formula(*condition, false)?.and(&self.is(variable, *b)?)?);
        }
        let sum = self.sum(value)?.minus(&Sum::column(variable));
        self.constraint(value.sort(), sum, Relation::Zero)
    }

    /// The difference of two numbers.
    pub fn difference(&mut self, a: Term, b: Term) -> Result<Sum<Variable>, Stop> {
        Ok(self.sum(a)?.minus(&self.sum(b)?))
    }

    /// A number as a sum.
    fn sum(&mut self, term: Term) -> Result<Sum<Variable>, Stop> {
        if let Some(known) = self.sums.get(&term) {
            return Ok(known.clone());
        }
        let sum = self.added(term)?;
        self.sums.insert(term, sum.clone());
        Ok(sum)
    }

    fn added(&mut self, term: Term) -> Result<Sum<Variable>, Stop> {
        Ok(match (term.op(), term.args()) {
            (Op::Const(Value::Int(number)), _) => Sum::constant(number.clone().into()),
            (Op::Const(Value::Real(number)), _) => Sum::constant(number.clone().into()),
            (Op::Add, [a, b]) => self.sum(*a)?.plus(&self.sum(*b)?),
            (Op::Sub, [a, b]) => self.sum(*a)?.minus(&self.sum(*b)?),
            (Op::Neg, [a]) => self.sum(*a)?.times(&Rational::from(-1)),
            (Op::Mul, [a, b]) => {
                let (a, b) = (self.sum(*a)?, self.sum(*b)?);
                match (a.columns.is_empty(), b.columns.is_empty()) {
                    (true, _) => b.times(&a.constant),
                    (_, true) => a.times(&b.constant),
                    _ => self.unknown(term),
                }
            }
            (Op::RealDiv, [a, b]) => {
                let (a, b) = (self.sum(*a)?, self.sum(*b)?);
                match b.columns.is_empty() {
                    true if b.constant.is_zero() => Sum::constant(Rational::ZERO),
                    true => a.times(&Rational::ONE.over(&b.constant)),
                    false => self.unknown(term),
                }
            }
            (op @ (Op::IntDiv | Op::IntMod), [a, b]) => {
                let (a, b) = (self.sum(*a)?, self.sum(*b)?);
                match b.columns.is_empty() && !b.constant.is_zero() {
                    true => self.divided(op, a, &b.constant)?,
                    false => self.unknown(term),
                }
            }
            (Op::Ite, [_, a, b]) => {
                let (a, b) = (self.sum(*a)?, self.sum(*b)?);
                if a == b {
                    return Ok(a);
                }
                let variable = self.fresh_number(term.sort());
                let definition = self.is(variable, term)?;
                self.definitions.push(definition);
                Sum::column(variable)
            }
            (Op::BvToInt { signed }, [a]) => self.number_of(*signed, *a)?,
            (Op::ToReal, [a]) => match self.sum(*a)? {
                sum if sum.columns.is_empty() => sum,
                _ => self.unknown(term),
            },
            (Op::ToInt, [a]) => match self.sum(*a)? {
                sum if sum.columns.is_empty() => Sum::constant(sum.constant.floor()),
                _ => self.unknown(term),
            },
            _ => self.unknown(term),
        })
    }

    /// The value of a variable or of a pseudo-input.
    fn unknown(&mut self, term: Term) -> Sum<Variable> {
        match self.anywhere(term) {
            Place::Integer(variable) | Place::Real(variable) => Sum::column(variable),
            Place::Bits(_) => unreachable!("{term} is a number"),
        }
    }

    /// A quotient q or remainder r by a constant: `a = b q + r` with `0 <= r < |b|`.
    fn divided(&mut self, op: &Op, a: Sum<Variable>, by: &Rational) -> Result<Sum<Variable>, Stop> {
        let quotient = Sum::column(self.fresh_number(Sort::int()));
        let rest = a.minus(&quotient.times(by));
        let above = rest.minus(&Sum::constant(by.absolute()));
        let lower = self.constraint(Sort::int(), rest.times(&Rational::from(-1)), Relation::AtMostZero)?;
        let upper = self.constraint(Sort::int(), above, Relation::BelowZero)?;
        self.definitions.push(lower.and(&upper)?);
        Ok(if *op == Op::IntDiv { quotient } else { rest })
    }

    /// The number that bits are, exactly where they are few.
    fn number_of(&mut self, signed: bool, bits: Term) -> Result<Sum<Variable>, Stop> {
        let width = bits.sort().bv_width().expect("a machine integer");
        let vector = self.vector(bits)?;
        let variable = self.fresh_number(Sort::int());
        let least = if signed { Rational::from(-1).times(&power(width - 1)) } else { Rational::ZERO };
        let definition = if width <= FEW_BITS {
            let mut any = self.constant(false)?;
            for pattern in 0..1u128 << width {
                let same = {
                    let pattern = self.gates.number(width as usize, pattern);
                    self.gates.same(&vector, &pattern)
                };
                let value = term::Bv::new(width, pattern);
                let value = if signed { value.signed() } else { value.unsigned() as i128 };
                let is = Sum::column(variable).minus(&Sum::constant(Rational::from(value as i64)));
                let number = self.constraint(Sort::int(), is, Relation::Zero)?;
                any = any.or(&self.boolean(same)?.and(&number)?);
            }
            any
        } else {
            self.pseudo_inputs += 1;
            let from = Sum::constant(least.clone()).minus(&Sum::column(variable));
            let to = Sum::column(variable).minus(&Sum::constant(least.plus(&power(width))));
            let from = self.constraint(Sort::int(), from, Relation::AtMostZero)?;
            from.and(&self.constraint(Sort::int(), to, Relation::BelowZero)?)?
        };
        self.definitions.push(definition);
        Ok(Sum::column(variable))
    }

    /// Whether a term is a circuit over Boolean variables and nothing else.
    fn is_pure(&mut self, term: Term) -> bool {
        let has_bits = |term: Term| term.sort().is_bool() || term.sort().bv_width().is_some();
        if let Some(known) = self.pure.get(&term) {
            return *known;
        }
        let pure = has_bits(term)
            && match term.op() {
                Op::Const(_) => true,
                Op::Var { .. } => self.space.place(term).is_some() || self.inputs.contains_key(&term),
                Op::Apply(_) | Op::Forall(_) | Op::Exists(_) => false,
                _ => term.args().iter().all(|arg| has_bits(*arg)) && term.args().iter().all(|arg| self.is_pure(*arg)),
            };
        self.pure.insert(term, pure);
        pure
    }

    fn bits(&mut self, place: &Place) -> Result<Rc<[Bit]>, Stop> {
        let Place::Bits(numbers) = place else { unreachable!("{place:?} has no bits") };
        let mut bits = Vec::with_capacity(numbers.len());
        for number in numbers {
            let variable = self.space.composites.booleans().variable(*number)?;
            bits.push(self.gates.bit(variable));
        }
        Ok(bits.into())
    }

    /// A Boolean or a machine integer as a circuit.
    fn vector(&mut self, term: Term) -> Result<Rc<[Bit]>, Stop> {
        if let Some(known) = self.vectors.get(&term) {
            return Ok(known.clone());
        }
        let vector = match term.op() {
            Op::Const(value) => self.gates.value(value).expect("Booleans and machine integers have bits").into(),
            Op::Var { .. } => {
                let place = self.anywhere(term);
                self.bits(&place)?
            }
            _ if term.sort().is_bool() && !self.is_pure(term) => self.condition(term)?,
            Op::IntToBv(width) => self.modular(*width, term.args()[0])?,
            Op::Apply(_) | Op::Select => self.opaque(term)?,
            op => {
                let width = term.sort().bv_width().unwrap_or(1) as usize;
                let has_bits = |arg: &Term| arg.sort().is_bool() || arg.sort().bv_width().is_some();
                let made = if term.args().iter().all(has_bits) {
                    let args = term.args().iter().map(|arg| self.vector(*arg));
                    let args = args.collect::<Result<Vec<Rc<[Bit]>>, Stop>>()?;
                    self.gates.operate(op, &args, width)
                } else {
                    None
                };
                match made {
                    Some(bits) => bits.into(),
                    None => self.opaque(term)?,
                }
            }
        };
        self.vectors.insert(term, vector.clone());
        Ok(vector)
    }

    fn opaque(&mut self, term: Term) -> Result<Rc<[Bit]>, Stop> {
        let place = self.anywhere(term);
        self.bits(&place)
    }

    /// A condition inside of a circuit, which is about numbers.
    fn condition(&mut self, term: Term) -> Result<Rc<[Bit]>, Stop> {
        let place = self.fresh(Sort::bool()).expect("Booleans have a representation");
        let definition = self.assignment(&place, term)?;
        self.definitions.push(definition);
        self.bits(&place)
    }

    /// The low bits of an integer that is made of machine integers.
    fn modular(&mut self, width: u32, term: Term) -> Result<Rc<[Bit]>, Stop> {
        let machine = match (term.op(), term.args()) {
            (Op::Const(Value::Int(number)), _) => {
                let rest = Rational::from(number.clone());
                let modulus = power(width);
                let rest = rest.minus(&rest.over(&modulus).floor().times(&modulus)).to_big().floor();
                let bits = u128::try_from(rest).expect("a remainder has as many bits");
                return Ok(self.gates.number(width as usize, bits).into());
            }
            (Op::BvToInt { signed }, [a]) => {
                let bits = self.vector(*a)?;
                let fill = if *signed { bits[bits.len() - 1] } else { self.gates.constant(false) };
                let bit = |n: usize| bits.get(n).copied().unwrap_or(fill);
                return Ok((0..width as usize).map(bit).collect());
            }
            (Op::Add, _) => Op::BvAdd,
            (Op::Sub, _) => Op::BvSub,
            (Op::Mul, _) => Op::BvMul,
            (Op::Neg, _) => Op::BvNeg,
            (Op::Ite, [condition, a, b]) => {
                let args = [self.vector(*condition)?, self.modular(width, *a)?, self.modular(width, *b)?];
                return Ok(self.gates.choose(args[0][0], &args[1], &args[2]).into());
            }
            _ => {
                let low = Term::new(Op::IntToBv(width), &[term]);
                return self.opaque(low);
            }
        };
        let args = term.args().iter().map(|arg| self.modular(width, *arg));
        let args = args.collect::<Result<Vec<Rc<[Bit]>>, Stop>>()?;
        Ok(self.gates.operate(&machine, &args, width as usize).expect("sums and products are circuits").into())
    }
}

/// Fewer atoms, where there are many.
pub fn simple(formula: Composite) -> Result<Composite, Stop> {
    if formula.atoms().len() < 8 { Ok(formula) } else { formula.simplify() }
}

fn is_number(sort: Sort) -> bool {
    matches!(sort.kind(), SortKind::Int | SortKind::Real)
}

fn power(exponent: u32) -> Rational {
    Rational::from(dashu::integer::IBig::ONE << exponent as usize)
}
