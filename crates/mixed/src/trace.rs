//! Counterexamples: from an error state of the last ring backwards through the rings, each time to a predecessor in an
//! earlier one, with concrete values picked on the way.
//!
//! Each state of a ring but those of the first has a predecessor in an earlier ring: the strategies make a ring from
//! states of earlier ones alone.

use crate::ltg::BlockId;
use crate::model::Model;
use crate::relation::Detailed;
use crate::search::Halt;
use crate::space::Place;
use crate::states::States;
use arithmetic::{Rational, Sum};
use engine::{Reason, Step, Trace};
use ir::{ProcId, PropertyId};
use rustc_hash::FxHashSet;
use sets::composite::{Composite, Valuation};
use sets::{Constraint, Stop};
use term::{Term, Value};

/// A concrete state in a ring.
struct Point {
    ring: usize,
    block: BlockId,
    values: Valuation,
}

/// The execution to an error state of a ring, which is the last one on the way.
pub fn trace(
    model: &Model,
    rings: &[States],
    error: BlockId,
    procedure: ProcId,
    property: PropertyId,
) -> Result<Trace, Halt> {
    let ring = rings.iter().position(|ring| ring.at(error).is_some()).ok_or_else(lost)?;
    let values = rings[ring].at(error).map_or(Ok(None), Composite::model)?.ok_or_else(lost)?;
    let mut point = Point { ring, block: error, values };
    let mut parts: Vec<Vec<Step>> = Vec::new();
    while point.block != model.ltg.entry {
        let (before, steps) = predecessor(model, rings, &point, procedure)?.ok_or_else(lost)?;
        parts.push(steps);
        point = before;
    }
    let initial = model.live[point.block].iter().filter_map(|variable| {
        let place = model.space.place(*variable)?;
        Some((*variable, model.space.value(place, variable.sort(), &point.values)?))
    });
    let initial = initial.collect();
    let steps = parts.into_iter().rev().flatten().collect();
    Ok(Trace { property, initial, memory: Vec::new(), functions: Vec::new(), steps })
}

fn lost() -> Halt {
    Halt(Reason::Internal("a state of a ring has no predecessor in an earlier one".into()))
}

/// A state before another one, and the steps between them.
fn predecessor(
    model: &Model,
    rings: &[States],
    point: &Point,
    procedure: ProcId,
) -> Result<Option<(Point, Vec<Step>)>, Stop> {
    let mut ways = Vec::new();
    let edges = model.ltg.edges.iter().zip(&model.cases).filter(|(edge, _)| edge.to == point.block);
    for (edge, case) in edges.flat_map(|(edge, cases)| cases.iter().map(move |case| (edge, case))) {
        if rings[..point.ring].iter().any(|ring| ring.at(edge.from).is_some()) {
            let detailed = Detailed::new(&model.space, &model.ltg, edge, case)?;
            let leading = detailed.formula.and(&behind(model, &detailed.assigned, point)?)?;
            if !leading.is_empty() {
                ways.push((edge, detailed.inputs, leading));
            }
        }
    }
    for ring in (0..point.ring).rev() {
        for (edge, inputs, leading) in &ways {
            let Some(states) = rings[ring].at(edge.from) else { continue };
            let Some(values) = states.and(leading)?.model()? else { continue };
            let value = |input: Term| {
                let place = inputs.iter().find(|(known, _)| *known == input).map(|(_, place)| place);
                let value = place.and_then(|place| model.space.value(place, input.sort(), &values));
                value.or_else(|| Value::zero(input.sort())).unwrap_or(Value::Bool(false))
            };
            let steps = model.ltg.steps(edge, procedure, value);
            return Ok(Some((Point { ring, block: edge.from, values }, steps)));
        }
    }
    Ok(None)
}

/// That the state behind an edge is a point: of what is assigned on it in the next copy, of the rest in the current
/// one.
fn behind(model: &Model, assigned: &FxHashSet<Term>, point: &Point) -> Result<Composite, Stop> {
    let (space, all) = (&model.space, &model.space.composites);
    let (mut literals, mut equal) = (Vec::new(), all.truth()?);
    let value = |number: u32, value: Rational| Constraint::zero(Sum::column(number).minus(&Sum::constant(value)));
    for variable in &model.live[point.block] {
        let Some(place) = space.place(*variable) else { continue };
        let target = if assigned.contains(variable) { place.next() } else { place.clone() };
        match (place, target) {
            (Place::Bits(known), Place::Bits(bits)) => {
                let of = |bit: &u32| point.values.booleans.get(bit).copied().unwrap_or_default();
                literals.extend(bits.iter().zip(known).map(|(bit, known)| (*bit, of(known))));
            }
            (Place::Integer(known), Place::Integer(number)) => {
                let known = point.values.integers.get(known).cloned().unwrap_or_default();
                let is = all.integers().satisfying(&value(number, Rational::from(known)))?;
                equal = equal.and(&all.integer(is)?)?;
            }
            (Place::Real(known), Place::Real(number)) => {
                let known = point.values.reals.get(known).cloned().unwrap_or(Rational::ZERO);
                equal = equal.and(&all.real(all.reals().satisfying(&[value(number, known)])?)?)?;
            }
            _ => unreachable!("copies are represented alike"),
        }
    }
    let cube = all.booleans().cube(&literals)?;
    all.boolean(cube)?.and(&equal)
}
