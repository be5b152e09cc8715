//! Graphs of one form: what differs between them are numbers, which can be joined.

use crate::ranges;
use crate::state::{State, is_symbol, parts, rewrite, symbols, values};
use engine::shape::{Member, Ranges, Segment, count};
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt::Write;
use term::subst::substitute;
use term::{SortKind, Term, build};

/// The objects of a graph, by the identities with which they are found: regions, and first and last objects of
/// segments. They are in the order in which variables lead to them.
fn order(state: &State) -> Vec<Term> {
    let (mut found, mut seen) = (Vec::new(), FxHashSet::default());
    let graph = &state.graph;
    let statics = graph.regions.keys().copied().filter(|identity| identity.value().is_some());
    let mut queue: std::collections::VecDeque<Term> = statics.collect();
    queue.extend(graph.variables.values().flat_map(|value| symbols(*value)));
    while let Some(symbol) = queue.pop_front() {
        if !seen.insert(symbol) {
            continue;
        }
        if let Some(region) = graph.regions.get(&symbol) {
            found.push(symbol);
            queue.extend(region.size.iter().chain(region.fields.values()).flat_map(|value| symbols(*value)));
        } else if let Some((number, _)) = state.segment(symbol) {
            found.push(symbol);
            queue.push_back(graph.segments[number].first);
            queue.extend(values(&graph.segments[number]).into_iter().flat_map(symbols));
        }
    }
    found
}

/// The same graph with symbols numbered in the order in which variables lead to them.
pub fn canonical(state: &State) -> State {
    let mut fresh = State { about: state.about, ..State::default() };
    let mut names: FxHashMap<Term, Term> = FxHashMap::default();
    let objects = order(state);
    let mut name = |value: Term| {
        for symbol in symbols(value) {
            if symbol != count() && !names.contains_key(&symbol) {
                let renamed = fresh.symbol(symbol.sort());
                names.insert(symbol, renamed);
            }
        }
    };
    state.graph.variables.values().for_each(|value| name(*value));
    for object in &objects {
        name(*object);
        if let Some(region) = state.graph.regions.get(object) {
            region.size.iter().chain(region.fields.values()).for_each(|value| name(*value));
        } else if let Some((number, _)) = state.segment(*object) {
            values(&state.graph.segments[number]).into_iter().for_each(&mut name);
        }
    }
    let renamed = |value: Term| substitute(value, |part| names.get(&part).copied());
    let mut graph = state.graph.clone();
    rewrite(&mut graph, &mut |value| renamed(value));
    graph.regions = graph.regions.into_iter().map(|(identity, region)| (renamed(identity), region)).collect();
    for segment in &mut graph.segments {
        segment.first = renamed(segment.first);
        segment.last = segment.last.map(renamed);
    }
    graph.segments.sort_by_key(|segment| segment.first);
    let ranges = graph.ranges.into_iter().filter_map(|(symbol, ranges)| Some((*names.get(&symbol)?, ranges)));
    graph.ranges = ranges.collect();
    fresh.graph = graph;
    fresh
}

/// What is left of a graph without its numbers, and the numbers in order. `is_flag` tells whose values count as form.
pub fn form(state: &State, is_flag: &dyn Fn(Term) -> bool) -> (String, Vec<Term>) {
    let mut numbers = Vec::new();
    let text = numbered(&mut state.clone(), is_flag, &mut |number| {
        numbers.push(number);
        number
    });
    (text, numbers)
}

/// Puts other numbers into a graph, and returns its form.
fn numbered(state: &mut State, is_flag: &dyn Fn(Term) -> bool, of: &mut dyn FnMut(Term) -> Term) -> String {
    let objects = order(state);
    let places: FxHashMap<Term, usize> = objects.iter().enumerate().map(|(place, object)| (*object, place)).collect();
    let mut text = String::new();
    let mut part = |text: &mut String, value: Term, is_form: bool| {
        let _ = match places.get(&value) {
            Some(place) => write!(text, "#{place} "),
            None if is_form && value.value().is_some() || value == count() => write!(text, "{value} "),
            None if is_symbol(value) || value.value().is_some() => {
                let _ = write!(text, "{} ", value.sort());
                return of(value);
            }
            None => write!(text, "{value} "),
        };
        value
    };
    let mut put = |text: &mut String, value: Term, is_flag: bool| match value.sort().kind() {
        SortKind::Pointer(_) => {
            let (object, offset) = parts(value);
            // Which object a pointer points to is form, even if it is none.
            build::pointer(part(text, object, true), part(text, offset, is_flag))
        }
        _ => part(text, value, is_flag),
    };
    let graph = &mut state.graph;
    for (variable, value) in &mut graph.variables {
        let _ = write!(text, "{variable}=");
        *value = put(&mut text, *value, is_flag(*variable));
    }
    for object in &objects {
        if let Some(region) = graph.regions.get_mut(object) {
            let _ = write!(text, "region {} {:?} {:?} ", region.zero, region.alive, region.dynamic);
            region.size.iter_mut().for_each(|size| *size = put(&mut text, *size, false));
            for (at, value) in &mut region.fields {
                let _ = write!(text, "{at}:");
                *value = put(&mut text, *value, false);
            }
        } else if let Some(segment) = graph.segments.iter_mut().find(|segment| segment.first == *object) {
            let Segment { next, before, start, least, dynamic, .. } = segment;
            let _ = write!(text, "list {next} {before:?} {start} {least} {dynamic} ");
            for layout in &mut segment.layouts {
                let _ = write!(text, "as ");
                for (at, member) in layout {
                    let _ = write!(text, "{at}:");
                    match member {
                        Member::Same(value) => *value = put(&mut text, *value, false),
                        Member::Any(sort, _) => _ = write!(text, "any {sort} "),
                        Member::Itself(sort, offset) => _ = write!(text, "itself {sort} {offset} "),
                    }
                }
            }
            segment.size = put(&mut text, segment.size, false);
            segment.next_of_last = put(&mut text, segment.next_of_last, false);
            segment.before_first.iter_mut().for_each(|value| *value = put(&mut text, *value, false));
        }
    }
    text.push_str(if graph.lost { "lost" } else { "" });
    text
}

/// What two graphs of one form have in common. Where ranges still grow and it is `widened`, nothing is known any more.
pub fn join(old: &State, new: &State, is_flag: &dyn Fn(Term) -> bool, widened: bool) -> State {
    let mut joined = new.clone();
    let mut made: FxHashMap<(Term, Term), Term> = FxHashMap::default();
    let (one, other) = (form(old, is_flag).1, form(new, is_flag).1);
    let mut replaced = Vec::new();
    for (one, other) in one.into_iter().zip(other) {
        if one == other && one.value().is_some() {
            replaced.push(one);
            continue;
        }
        let symbol = match made.get(&(one, other)) {
            Some(symbol) => *symbol,
            None => {
                let symbol = joined.symbol(other.sort());
                made.insert((one, other), symbol);
                symbol
            }
        };
        replaced.push(symbol);
        if let (Some(a), Some(b)) = (old.ranges(one), new.ranges(other)) {
            let all = ranges::union(&a, &b);
            if !widened || ranges::is_subset(&all, &a) {
                joined.graph.ranges.insert(symbol, all);
            }
        }
    }
    // A number of the new graph may have different counterparts at different places, so each place has its own.
    let mut replaced = replaced.into_iter();
    numbered(&mut joined, is_flag, &mut |number| replaced.next().unwrap_or(number));
    for (segment, other) in joined.graph.segments.iter_mut().zip(matching(old, new)) {
        for (number, layout) in segment.layouts.iter_mut().enumerate() {
            let known = other.and_then(|other| old.graph.segments[other].layouts.get(number));
            for (at, member) in layout {
                if let (Member::Any(_, ranges), Some(Member::Any(_, others))) = (member, known.and_then(|k| k.get(at)))
                {
                    *ranges = both(ranges, others, widened);
                }
            }
        }
    }
    joined
}

fn both(new: &Option<Ranges>, old: &Option<Ranges>, widened: bool) -> Option<Ranges> {
    let (new, old) = (new.as_ref()?, old.as_ref()?);
    let all = ranges::union(new, old);
    (!widened || ranges::is_subset(&all, old)).then_some(all)
}

/// For each segment of the new graph, the one of the old graph that has its place.
fn matching(old: &State, new: &State) -> Vec<Option<usize>> {
    let (before, now) = (order(old), order(new));
    let place = |first: Term| now.iter().position(|object| *object == first);
    let segments = new.graph.segments.iter();
    let found = segments.map(|segment| old.segment(*before.get(place(segment.first)?)?).map(|(number, _)| number));
    found.collect()
}
