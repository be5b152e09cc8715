//! The execution τ that a model stands for: which edges it takes, in which instances.

use crate::inlining::{Inlining, InstanceId, SiteId};
use crate::vc::Template;
use engine::Reason;
use ir::{Cfa, EdgeId, LocId};
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
    path_where(inlining, &mut |flag| smt.value(flag) == Some(Value::Bool(true)))
}

/// The execution on which flags hold.
pub fn path_where(inlining: &Inlining<'_>, holds: &mut dyn FnMut(Term) -> bool) -> Result<Path, Reason> {
    let mut path = Path { events: Vec::new(), open: Vec::new(), end: None, flags: Vec::new() };
    let mut stack = vec![way(inlining, holds, InstanceId(0), true, &mut path.flags)?];
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
                stack.push(way(inlining, holds, body, fails, &mut path.flags)?);
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
    is_true: &mut dyn FnMut(Term) -> bool,
    instance: InstanceId,
    fails: bool,
    flags: &mut Vec<Term>,
) -> Result<Way, Reason> {
    let body = &inlining.instances[instance.0];
    let template = &body.template;
    let Ok(cfa) = &inlining.program.procedure(template.procedure).body else { return Err(lost()) };
    let mut holds = |flag: Term| {
        let flag = body.actual(flag);
        let is_true = is_true(flag);
        if is_true {
            flags.push(flag);
        }
        is_true
    };
    let Through { edges, error, fails_in_call } = through(template, cfa, fails, &mut holds).ok_or_else(lost)?;
    Ok(Way { instance, edges, next: 0, error, fails_in_call })
}

/// A way through a body.
pub struct Through {
    pub edges: Vec<EdgeId>,
    /// The error location, if it comes to one.
    pub error: Option<LocId>,
    /// Whether its last edge is a call that fails.
    pub fails_in_call: bool,
}

/// The way through a body on which the flags hold, if there is one.
pub fn through(template: &Template, cfa: &Cfa, fails: bool, holds: &mut dyn FnMut(Term) -> bool) -> Option<Through> {
    let mut way = Through { edges: Vec::new(), error: None, fails_in_call: false };
    let mut location = cfa.exit();
    if fails {
        if let Some((error, _)) = template.errors.iter().find(|(_, flag)| holds(*flag)) {
            way.error = Some(*error);
            location = *error;
        } else {
            let mut calls = template.sites.iter();
            let call = calls.find(|site| site.failed.is_some_and(&mut *holds))?;
            way.fails_in_call = true;
            way.edges.push(call.edge);
            location = cfa.edge(call.edge).from;
        }
    }
    while location != cfa.entry() {
        let (edge, _) = template.ways.get(&location)?.iter().find(|(_, flag)| holds(*flag))?;
        way.edges.push(*edge);
        location = cfa.edge(*edge).from;
    }
    way.edges.reverse();
    Some(way)
}

fn lost() -> Reason {
    Reason::Internal("a model is no execution".to_string())
}
