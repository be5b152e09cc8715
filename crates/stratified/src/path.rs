//! The execution τ that a model stands for: which edges it takes, in which instances.

use crate::inlining::{Inlining, InstanceId, SiteId};
use engine::Reason;
use ir::{EdgeId, LocId};
use solver::Smt;
use term::{Term, Value};

/// A part of an execution.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Event {
    /// An edge of an instance is taken.
    Edge(InstanceId, EdgeId),
    /// The edge before was a call, and this is the body.
    Enter(InstanceId),
    /// The body is left, and its caller goes on.
    Leave(InstanceId),
}

/// An execution of the partially inlined program.
pub struct Path {
    pub events: Vec<Event>,
    /// The open calls that it passes.
    pub open: Vec<SiteId>,
    /// The instance and the location where it ends; none if it ends in an open call.
    pub end: Option<(InstanceId, LocId)>,
    /// What is true of it and of no other.
    pub flags: Vec<Term>,
}

/// The edges through an instance, and the way it ends.
struct Way {
    instance: InstanceId,
    edges: Vec<EdgeId>,
    next: usize,
    /// The error location, if it fails in this instance.
    error: Option<LocId>,
    /// Whether its last edge is a call that fails.
    fails_in_call: bool,
}

/// Reads the execution off the solver's model.
pub fn path(inlining: &Inlining<'_>, smt: &mut dyn Smt) -> Result<Path, Reason> {
    let mut path = Path { events: Vec::new(), open: Vec::new(), end: None, flags: Vec::new() };
    let mut stack = vec![way(inlining, smt, InstanceId(0), true, &mut path.flags)?];
    while let Some(way_here) = stack.last_mut() {
        let instance = way_here.instance;
        let Some(edge) = way_here.edges.get(way_here.next).copied() else {
            if let Some(error) = way_here.error {
                path.end = Some((instance, error));
                return Ok(path);
            }
            path.events.push(Event::Leave(instance));
            stack.pop();
            continue;
        };
        way_here.next += 1;
        let fails = way_here.fails_in_call && way_here.next == way_here.edges.len();
        path.events.push(Event::Edge(instance, edge));
        let Some(site) = inlining.site_of(instance, edge) else { continue };
        match inlining.sites[site.0].inlined {
            Some(body) => {
                path.events.push(Event::Enter(body));
                stack.push(way(inlining, smt, body, fails, &mut path.flags)?);
            }
            None => {
                path.open.push(site);
                if fails {
                    return Ok(path);
                }
            }
        }
    }
    Err(lost())
}

/// The way through one instance, found backwards from its end.
fn way(
    inlining: &Inlining<'_>,
    smt: &mut dyn Smt,
    instance: InstanceId,
    fails: bool,
    flags: &mut Vec<Term>,
) -> Result<Way, Reason> {
    let body = &inlining.instances[instance.0];
    let template = &body.template;
    let Ok(cfa) = &inlining.program.procedure(template.procedure).body else { return Err(lost()) };
    let mut holds = |flag: Term| {
        let flag = body.actual(flag);
        let is_true = smt.value(flag) == Some(Value::Bool(true));
        if is_true {
            flags.push(flag);
        }
        is_true
    };
    let mut way = Way { instance, edges: Vec::new(), next: 0, error: None, fails_in_call: false };
    let mut location = cfa.exit();
    if fails {
        if let Some((error, _)) = template.errors.iter().find(|(_, flag)| holds(*flag)) {
            way.error = Some(*error);
            location = *error;
        } else {
            let mut calls = template.sites.iter();
            let call = calls.find(|site| site.failed.is_some_and(&mut holds)).ok_or_else(lost)?;
            way.fails_in_call = true;
            way.edges.push(call.edge);
            location = cfa.edge(call.edge).from;
        }
    }
    while location != cfa.entry() {
        let ways = template.ways.get(&location).ok_or_else(lost)?;
        let (edge, _) = ways.iter().find(|(_, flag)| holds(*flag)).ok_or_else(lost)?;
        way.edges.push(*edge);
        location = cfa.edge(*edge).from;
    }
    way.edges.reverse();
    Ok(way)
}

fn lost() -> Reason {
    Reason::Internal("a model is no execution".to_string())
}
