//! Sharing of inlined procedures: "DAG Inlining: A Decision Procedure for Reachability-Modulo-Theories in Hierarchical Programs"
//! (Lal, Qadeer).
//!
//! Two calls of a procedure need only one body if no execution passes both. Then P is no tree of bodies but a graph without
//! cycles, which may be exponentially smaller. A body that may be shared has names of its own for its inputs and ends; each of its
//! calls says what they are where it is taken.
//!
//! Invariant: no execution passes two calls that share a body. One more call of a body can break it for the bodies below, so
//! all of these are looked at again. Bodies are shared only where the same recursive procedures run around them: so costs are
//! what they are in a tree.

use crate::inlining::{CallSite, Instance, InstanceId, SiteId};
use crate::vc::Template;
use ir::{Cfa, LocId, Op, ProcId, Program};
use rustc_hash::{FxHashMap, FxHashSet};

/// So many bodies of a procedure are tried before it gets another one,
const MOST_TRIED: usize = 8;
/// and so many pairs of calls are looked at for each.
const MOST_PAIRS: usize = 10_000;

/// Which bodies are shared.
pub struct Sharing {
    is_on: bool,
    /// By procedure, how many calls of it the program has.
    called: Vec<usize>,
    /// The bodies that can be shared.
    bodies: FxHashMap<ProcId, Vec<InstanceId>>,
    /// By instance, its calls.
    callers: Vec<Vec<SiteId>>,
    /// By instance, its place in an order in which callers come first.
    rank: Vec<usize>,
    follows: FxHashMap<ProcId, Follows>,
    /// How many calls got a body that was there.
    pub shared: u64,
}

/// The calls of a body that can follow one, by their numbers in the template.
type Follows = Vec<FxHashSet<usize>>;

/// The instances and calls as they are.
#[derive(Clone, Copy)]
pub struct Inlined<'a> {
    pub program: &'a Program,
    pub instances: &'a [Instance],
    pub sites: &'a [CallSite],
}

impl Sharing {
    /// Nothing is shared until [`Sharing::turn_on`].
    pub fn new(program: &Program) -> Sharing {
        let mut called = vec![0; program.procedures.len()];
        for (_, edge) in program.procedures.iter().filter_map(|p| p.body.as_ref().ok()).flat_map(Cfa::edges) {
            if let Op::Call { procedure, .. } = &edge.op {
                called[procedure.0 as usize] += 1;
            }
        }
        let (bodies, callers, rank, follows) = Default::default();
        Sharing { is_on: false, called, bodies, callers, rank, follows, shared: 0 }
    }

    pub fn turn_on(&mut self) {
        self.is_on = true;
    }

    /// Whether a new body should be one that can be shared.
    pub fn is_for(&self, template: &Template) -> bool {
        self.is_on && self.called[template.procedure.0 as usize] > 1 && !template.is_small()
    }

    /// Notes a new instance.
    pub fn add(&mut self, procedure: ProcId, call: Option<SiteId>, is_shareable: bool) {
        let instance = InstanceId(self.rank.len());
        self.rank.push(instance.0);
        self.callers.push(call.into_iter().collect());
        if is_shareable {
            self.bodies.entry(procedure).or_default().push(instance);
        }
    }

    /// Finds a body for a call among those that are there, and notes the call.
    pub fn find(&mut self, inlined: Inlined<'_>, site: SiteId) -> Option<InstanceId> {
        let call = &inlined.sites[site.0];
        let bodies = self.bodies.get(&call.callee)?;
        let is_alike = |body: &&InstanceId| inlined.instances[body.0].stack == call.stack;
        let alike: Vec<InstanceId> = bodies.iter().rev().filter(is_alike).take(MOST_TRIED).copied().collect();
        let found = alike.into_iter().find(|body| self.accepts(inlined, *body, site));
        self.shared += u64::from(found.is_some());
        found
    }

    /// Adds a call to a body, unless that breaks the invariant.
    fn accepts(&mut self, inlined: Inlined<'_>, body: InstanceId, site: SiteId) -> bool {
        let mut pairs = Pairs { inlined, sharing: self, known: FxHashMap::default() };
        let callers = pairs.sharing.callers[body.0].clone();
        if callers.iter().any(|caller| pairs.may_pass_both(site, *caller)) {
            return false;
        }
        self.callers[body.0].push(site);
        self.rank = self.ranks(inlined);
        let below = self.shared_below(inlined, body);
        let mut pairs = Pairs { inlined, sharing: self, known: FxHashMap::default() };
        let is_kept = below.iter().all(|callers| {
            let pair = |(number, one): (usize, &SiteId)| {
                callers[number + 1..].iter().any(|other| pairs.may_pass_both(*one, *other))
            };
            !callers.iter().enumerate().any(pair)
        });
        if !is_kept {
            self.callers[body.0].pop();
            self.rank = self.ranks(inlined);
        }
        is_kept
    }

    /// By instance, those that it calls.
    fn callees(&self, inlined: Inlined<'_>) -> Vec<Vec<InstanceId>> {
        let mut callees = vec![Vec::new(); self.callers.len()];
        for (number, callers) in self.callers.iter().enumerate() {
            for caller in callers {
                callees[inlined.sites[caller.0].instance.0].push(InstanceId(number));
            }
        }
        callees
    }

    /// The calls of those bodies below one that are shared.
    fn shared_below(&self, inlined: Inlined<'_>, body: InstanceId) -> Vec<Vec<SiteId>> {
        let callees = self.callees(inlined);
        let mut found = FxHashSet::default();
        let mut pending = vec![body];
        while let Some(instance) = pending.pop() {
            pending.extend(callees[instance.0].iter().copied().filter(|callee| found.insert(*callee)));
        }
        let callers = found.into_iter().map(|instance| self.callers[instance.0].clone());
        callers.filter(|callers| callers.len() > 1).collect()
    }

    /// The places of instances in an order in which callers come first.
    fn ranks(&self, inlined: Inlined<'_>) -> Vec<usize> {
        let callees = self.callees(inlined);
        let mut waiting: Vec<usize> = self.callers.iter().map(Vec::len).collect();
        let mut rank = vec![0; waiting.len()];
        let mut ready = vec![InstanceId(0)];
        let mut next = 0;
        while let Some(instance) = ready.pop() {
            rank[instance.0] = next;
            next += 1;
            for callee in &callees[instance.0] {
                waiting[callee.0] -= 1;
                if waiting[callee.0] == 0 {
                    ready.push(*callee);
                }
            }
        }
        rank
    }

    /// The place of an instance in an order in which callers come first.
    pub fn rank(&self, instance: InstanceId) -> usize {
        self.rank[instance.0]
    }
}

/// Finds out which pairs of calls an execution may pass both.
struct Pairs<'a> {
    inlined: Inlined<'a>,
    sharing: &'a mut Sharing,
    known: FxHashMap<(SiteId, SiteId), bool>,
}

impl Pairs<'_> {
    /// Whether an execution may pass both, or it takes too long to find out.
    fn may_pass_both(&mut self, one: SiteId, other: SiteId) -> bool {
        if one == other || self.known.len() > MOST_PAIRS {
            return true;
        }
        let pair = (one.min(other), one.max(other));
        if let Some(known) = self.known.get(&pair) {
            return *known;
        }
        let (here, there) = (self.inlined.sites[one.0].instance, self.inlined.sites[other.0].instance);
        let may = if here == there {
            self.may_follow(one, other) || self.may_follow(other, one)
        } else {
            // The instance that cannot be around the other one is reached by one of its calls.
            let is_later = self.sharing.rank[here.0] > self.sharing.rank[there.0];
            let (low, high) = if is_later { (here, other) } else { (there, one) };
            let callers = self.sharing.callers[low.0].clone();
            callers.into_iter().any(|caller| self.may_pass_both(caller, high))
        };
        self.known.insert(pair, may);
        may
    }

    /// Whether a call can come after another one of the same body.
    fn may_follow(&mut self, first: SiteId, second: SiteId) -> bool {
        let Inlined { program, instances, sites } = self.inlined;
        let Instance { template, first_site, .. } = &instances[sites[first.0].instance.0];
        let Ok(cfa) = &program.procedure(template.procedure).body else { return true };
        let follows = self.sharing.follows.entry(template.procedure).or_insert_with(|| follows(template, cfa));
        follows[first.0 - first_site].contains(&(second.0 - first_site))
    }
}

/// Which calls of a body can follow which.
fn follows(template: &Template, cfa: &Cfa) -> Follows {
    let following = |start: LocId| {
        let mut reached = FxHashSet::default();
        let mut pending = vec![start];
        while let Some(location) = pending.pop() {
            if reached.insert(location) {
                pending.extend(cfa.outgoing(location).iter().map(|edge| cfa.edge(*edge).to));
            }
        }
        let sites = template.sites.iter().enumerate();
        sites.filter(|(_, site)| reached.contains(&cfa.edge(site.edge).from)).map(|(number, _)| number).collect()
    };
    template.sites.iter().map(|site| following(cfa.edge(site.edge).to)).collect()
}
