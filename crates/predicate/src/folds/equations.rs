//! Linear equations between folds, elements and variables, at every location: those that blocks keep.
//!
//! The *columns* are the terms between which there are equations: variables, folds up to the counters of loops and up to their bounds,
//! and what becomes of these when they are carried back through blocks. A state is the module that the vectors of their values
//! generate, as in [`analysis::affine`]. Where a loop is left because its counter is at its bound, terms of the counter are those of the bound.

use super::linear::{Kind, Linear, Reader, summand};
use super::loops::{Accumulation, How, Loops, Weighed, of_one};
use analysis::affine::{Span, inverse, mask};
use blocks::model::Model;
use blocks::solvers::{BlockId, Solvers};
use engine::{Reason, Residue, Run};
use ir::LocId;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;
use term::build::{add, apply, bv, bv_xor, eq, int, mul, sub};
use term::free::{Free, dag_size, variables};
use term::subst::substitute;
use term::visit::map_children;
use term::{Function, Op, Sort, Term};

/// There are no more columns than this,
const MOST_COLUMNS: usize = 72;
/// no larger ones,
const LARGEST: usize = 24;
/// and none that come from columns through more blocks.
const MOST_ROUNDS: usize = 4;

/// Equations between integers have no larger coefficients than this.
const LARGEST_COEFFICIENT: u64 = 1 << 20;

/// Where equations hold.
type Equations = FxHashMap<LocId, Vec<Term>>;

/// In which numbers equations are looked for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Domain(Kind);

impl Domain {
    /// Those of all folds.
    pub fn of(loops: &Loops) -> Vec<Domain> {
        let mut all: Vec<Domain> = Vec::new();
        for domain in loops.folds.iter().filter_map(Kind::of).map(Domain) {
            if !all.contains(&domain) {
                all.push(domain);
            }
        }
        all
    }
}

/// Where equations are looked for.
pub struct Domains<'a> {
    pub model: &'a Model<'a>,
    pub loops: &'a Loops,
}

/// What becomes of columns in a block.
struct Transfer {
    block: BlockId,
    to: LocId,
    /// Sums that are zero where the block can be taken.
    zeros: Vec<Linear>,
    /// For each column, what it is afterwards.
    values: Vec<Option<Linear>>,
}

impl Domains<'_> {
    /// The equations of a domain.
    pub fn equations(&self, domain: Domain, solvers: &mut Solvers, run: &mut Run) -> Result<Equations, Reason> {
        let kind = domain.0;
        let mut decided = FxHashMap::default();
        let mut columns = self.first_columns(kind);
        let (mut transfers, mut done) = (Vec::new(), 0);
        for round in 0..=MOST_ROUNDS {
            transfers = self.transfers(kind, &columns, solvers, &mut decided, run)?;
            if round == MOST_ROUNDS || done == columns.len() {
                break;
            }
            let sums = transfers.iter().flat_map(|one| one.values[done..].iter().flatten().chain(&one.zeros));
            let new: Vec<Term> = sums.flat_map(|sum| sum.leaves.keys().copied()).collect();
            done = columns.len();
            for leaf in new {
                if columns.len() < MOST_COLUMNS && !columns.contains(&leaf) && dag_size(leaf) <= LARGEST {
                    columns.push(leaf);
                }
            }
        }
        let numbers: FxHashMap<Term, usize> = columns.iter().enumerate().map(|(n, column)| (*column, n)).collect();
        let states = self.fixpoint(kind, &numbers, &transfers, run)?;
        Ok(self.told(kind, &columns, &states))
    }

    /// Variables, folds up to counters, and sums of weights.
    fn first_columns(&self, kind: Kind) -> Vec<Term> {
        let mut columns: Vec<Term> = Vec::new();
        for one in self.loops.accumulations.iter() {
            let fold = &self.loops.folds[one.fold];
            if Kind::of(fold) == Some(kind) {
                columns.push(apply(fold.function.clone(), &[one.element.args()[0], one.counter]));
                columns.push(match kind {
                    Kind::Sums => weights(one.accumulator),
                    Kind::ExclusiveOrs(_) => one.accumulator,
                });
            }
        }
        let Kind::ExclusiveOrs(width) = kind else { return unique(columns) };
        let blocks = self.model.locations().iter().flat_map(|location| self.model.outgoing(*location));
        for op in blocks.filter_map(|block| block.op.as_ref()) {
            let changed = op.update().keys().copied();
            columns.extend(changed.filter(|variable| variable.sort().bv_width() == Some(width)));
        }
        columns = unique(columns);
        columns.truncate(MOST_COLUMNS / 2);
        columns
    }

    fn transfers(
        &self,
        kind: Kind,
        columns: &[Term],
        solvers: &mut Solvers,
        decided: &mut FxHashMap<(BlockId, Term), bool>,
        run: &mut Run,
    ) -> Result<Vec<Transfer>, Reason> {
        let mut found = Vec::new();
        for from in self.model.locations() {
            for (number, block) in self.model.outgoing(*from).iter().enumerate() {
                run.tick()?;
                let Some(op) = &block.op else { continue };
                let id = (*from, number);
                let mut reader = Reader { loops: self.loops, kind, block: id, op, solvers, decided };
                let zeros = if block.to() == *from { Vec::new() } else { self.zeros(*from, columns, &mut reader) };
                let mut after = |column: &Term| match self.accumulator_of(*column) {
                    Some(accumulator) => self.weighed(accumulator, &mut reader),
                    None => reader.linear(op.after(*column)),
                };
                let values = columns.iter().map(&mut after).collect();
                found.push(Transfer { block: id, to: block.to(), zeros, values });
            }
        }
        Ok(found)
    }

    /// What is zero where a block leaves loops because their counters are at their bounds.
    fn zeros(&self, from: LocId, columns: &[Term], reader: &mut Reader<'_>) -> Vec<Linear> {
        let mut found = Vec::new();
        for one in self.loops.loops.iter().filter(|one| one.block.0 == from) {
            let is_equal = reader.implies(eq(one.counter, one.bound));
            for column in columns.iter().filter(|column| variables([**column]).contains(&one.counter)) {
                let fold = self.loops.folds.iter().find(|fold| {
                    matches!(column.op(), Op::Apply(function) if *function == fold.function)
                        && column.args()[1] == one.counter
                });
                let is_same = is_equal || fold.is_some_and(|fold| reader.is_at_bound(one.counter, one.bound, fold));
                if !is_same || self.accumulator_of(*column).is_some() {
                    continue;
                }
                let at_bound = substitute(*column, |v| (v == one.counter).then_some(one.bound));
                if let (Some(here), Some(there)) = (reader.linear(*column), reader.linear(at_bound)) {
                    found.push(here.plus(&there, u64::MAX, reader.kind));
                }
            }
        }
        found
    }

    /// The sum of what was accumulated, after a block.
    fn weighed(&self, accumulator: Term, reader: &mut Reader<'_>) -> Option<Linear> {
        let all: Vec<&Accumulation> =
            self.loops.accumulations.iter().filter(|one| one.accumulator == accumulator).collect();
        let first = all.first()?;
        if let Some(one) = all.iter().find(|one| one.block == reader.block) {
            let more = summand(&self.loops.folds[one.fold], one.counter, one.element);
            let so_far = weights(accumulator);
            return reader.linear(if one.how == How::Subtracted { sub(so_far, more) } else { add(so_far, more) });
        }
        let Some(value) = reader.op.update().get(&accumulator) else { return reader.linear(weights(accumulator)) };
        let How::Reduced(number) = first.how else {
            let residue = self.residue_of(accumulator)?;
            // Other accumulators are sums already.
            let sum = bottom_up(residue.weighed(*value), |term| match (term.op(), term.args()) {
                (Op::Apply(_), [part]) if self.residue_of(*part).is_some() => weights(*part),
                (Op::Apply(_), [part]) if part.as_bv().is_some_and(|number| number.unsigned() == 0) => int(0),
                _ => term,
            });
            return reader.linear(sum);
        };
        let (reduction, fold) = (&self.loops.reductions[number], &self.loops.folds[first.fold]);
        if *value == reduction.start {
            return reader.linear(int(0));
        }
        let step = (reduction.body, fold.element);
        let mut implies = |formula| reader.implies(formula);
        let element = of_one(*value, reduction.accumulator, step, reduction.start, &mut implies)?;
        reader.linear(summand(fold, fold.first, element))
    }

    /// The residue that an accumulator is of the sum of what was added to it, if that is all that was done to it.
    fn residue_of(&self, accumulator: Term) -> Option<&Residue> {
        let mut all = self.loops.accumulations.iter().filter(|one| one.accumulator == accumulator).peekable();
        all.peek()?;
        let is_sum = |one: &Accumulation| one.is_sum() && Kind::of(&self.loops.folds[one.fold]) == Some(Kind::Sums);
        let sort = accumulator.sort();
        all.all(is_sum).then(|| self.loops.residues.iter().find(|residue| residue.function.result == sort))?
    }

    /// The function that gives the accumulator for the sum.
    fn function_of(&self, accumulator: Term) -> Option<Function> {
        let mut all = self.loops.accumulations.iter().filter(|one| one.accumulator == accumulator);
        match all.next()?.how {
            how @ How::Reduced(number) => {
                all.all(|one| one.how == how).then(|| self.loops.reductions[number].function.clone())
            }
            _ => self.residue_of(accumulator).map(|residue| residue.function.clone()),
        }
    }

    /// The accumulator, for a column that is the sum of what was accumulated.
    fn accumulator_of(&self, column: Term) -> Option<Term> {
        let accumulators = self.loops.accumulations.iter().map(|one| one.accumulator);
        accumulators.into_iter().find(|accumulator| column.is_var() && weights(*accumulator) == column)
    }

    fn fixpoint(
        &self,
        kind: Kind,
        numbers: &FxHashMap<Term, usize>,
        transfers: &[Transfer],
        run: &mut Run,
    ) -> Result<FxHashMap<LocId, Span>, Reason> {
        let length = numbers.len() + 1;
        let row = |sum: &Linear| -> Option<Vec<u64>> {
            let mut row = vec![0; length];
            row[0] = sum.constant;
            for (leaf, coefficient) in &sum.leaves {
                row[numbers.get(leaf)? + 1] = *coefficient;
            }
            Some(row)
        };
        let unit = |place: usize| (0..length).map(|other| u64::from(other == place)).collect::<Vec<u64>>();
        let mut start = Span::new(kind.width(), length);
        // There are no constants.
        (1..length).for_each(|place| _ = start.add(unit(place)));
        let mut states = FxHashMap::from_iter([(self.model.cfa.entry(), start)]);
        let mut waiting = VecDeque::from([self.model.cfa.entry()]);
        while let Some(location) = waiting.pop_front() {
            let here = states[&location].clone();
            for transfer in transfers.iter().filter(|transfer| transfer.block.0 == location) {
                run.tick()?;
                let mut before = here.clone();
                transfer.zeros.iter().filter_map(row).for_each(|zero| before.meet(&zero));
                let rows: Vec<Option<Vec<u64>>> = transfer.values.iter().map(|value| row(value.as_ref()?)).collect();
                let state = states.entry(transfer.to).or_insert_with(|| Span::new(kind.width(), length));
                let mut changed = false;
                for generator in before.generators() {
                    let product = |row: &Vec<u64>| {
                        row.iter().zip(generator).map(|(a, b)| a.wrapping_mul(*b)).fold(0, u64::wrapping_add)
                    };
                    let values = rows.iter().map(|row| row.as_ref().map_or(0, product) & mask(kind.width()));
                    changed |= state.add(std::iter::once(generator[0]).chain(values).collect());
                }
                for (place, _) in rows.iter().enumerate().filter(|(_, row)| row.is_none()) {
                    changed |= state.add(unit(place + 1));
                }
                if changed && !waiting.contains(&transfer.to) {
                    waiting.push_back(transfer.to);
                }
            }
        }
        Ok(states)
    }

    /// The equations as formulas, about what is live.
    fn told(&self, kind: Kind, columns: &[Term], states: &FxHashMap<LocId, Span>) -> Equations {
        let mut free = Free::new();
        let mut found = Equations::default();
        for (location, state) in states {
            if *location == self.model.cfa.entry() || self.model.outgoing(*location).is_empty() {
                continue;
            }
            let mut is_live = |n: &usize| {
                self.accumulator_of(columns[*n]).is_none() && self.model.are_live(*location, &free.of(columns[*n]))
            };
            let live: Vec<usize> = (0..columns.len()).filter(&mut is_live).collect();
            let equations = found.entry(*location).or_default();
            for row in annihilators(kind, state, &live) {
                let sum = |row: &[u64]| sum(kind, row[1..].iter().zip(&live).map(|(c, n)| (*c, columns[*n])));
                if row[1..].iter().any(|coefficient| *coefficient != 0) {
                    equations.extend(sum(&row).map(|sum| eq(sum, zero(kind))));
                }
            }
            for (number, column) in columns.iter().enumerate() {
                let Some(accumulator) = self.accumulator_of(*column) else { continue };
                let Some(function) = self.function_of(accumulator) else { continue };
                if !self.model.are_live(*location, &[accumulator]) {
                    continue;
                }
                let with: Vec<usize> = std::iter::once(number).chain(live.iter().copied()).collect();
                let rows = annihilators(kind, state, &with);
                // The sum of weights is that of the rest, with the other sign.
                let rest = rows.iter().filter(|row| row[1] & 1 == 1).find_map(|row| {
                    let factor = inverse(row[1]).wrapping_neg();
                    sum(kind, row[2..].iter().zip(&live).map(|(c, n)| (c.wrapping_mul(factor), columns[*n])))
                });
                equations.extend(rest.map(|rest| eq(accumulator, apply(function, &[rest]))));
            }
        }
        found
    }
}

fn unique(terms: Vec<Term>) -> Vec<Term> {
    let mut seen = FxHashSet::default();
    terms.into_iter().filter(|term| seen.insert(*term)).collect()
}

const WEIGHTS: &str = "$weights:";

/// A term with other parts: what a function makes of each, the innermost first.
fn bottom_up(term: Term, change: impl Fn(Term) -> Term + Copy) -> Term {
    change(map_children(term, |part| bottom_up(part, change)))
}

/// The column for the sum of all that was added to an accumulator, or of the weights of what went through a reduction.
fn weights(accumulator: Term) -> Term {
    let name = accumulator.name().map_or("", |name| name.as_str());
    Term::var(format!("{WEIGHTS}{}:{name}", accumulator.sort()).as_str(), Sort::int())
}

/// What all vectors of a module fulfil, in some of the columns: coefficients of the constant and of these.
fn annihilators(kind: Kind, state: &Span, columns: &[usize]) -> Vec<Vec<u64>> {
    let mut projected = Span::new(kind.width(), columns.len() + 1);
    for generator in state.generators() {
        projected.add(std::iter::once(generator[0]).chain(columns.iter().map(|n| generator[n + 1])).collect());
    }
    projected.annihilators()
}

fn zero(kind: Kind) -> Term {
    match kind {
        Kind::ExclusiveOrs(width) => bv(width, 0),
        Kind::Sums => int(0),
    }
}

/// A sum of multiples as a term; nothing if coefficients are too large to be those of integers.
fn sum(kind: Kind, multiples: impl Iterator<Item = (u64, Term)>) -> Option<Term> {
    let mut sum = zero(kind);
    for (coefficient, term) in multiples.filter(|(coefficient, _)| *coefficient != 0) {
        sum = match kind {
            Kind::ExclusiveOrs(_) => bv_xor(sum, term),
            Kind::Sums => {
                let coefficient = coefficient as i64;
                if coefficient.unsigned_abs() > LARGEST_COEFFICIENT {
                    return None;
                }
                add(sum, mul(int(coefficient), term))
            }
        };
    }
    Some(sum)
}
