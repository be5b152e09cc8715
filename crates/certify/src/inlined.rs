//! Bodies in the place of calls as a proof: a procedure of which some calls are inlined, and others may do all that can be
//! seen of their procedures from outside, does not fail.
//!
//! What is known of procedures from outside includes summaries. Each is checked first, on the body of its procedure with all
//! calls as they are seen from outside: by induction over the calls of an execution all of them hold then.
//!
//! All bodies become one formula. A body's start is reached where one of its calls is; the call is passed where the body's exit is
//! reached, with its results. Several calls may share a body if no execution passes two of them, see [`shared`]. The proof holds
//! if no error location can be reached in any body, and no call that is not inlined where its procedure might fail.

use crate::encode::{Encoder, End, NoFormula, Values, value_of};
use crate::invariants::{Rejected, is_bad};
use crate::shared;
use engine::{Inlined, Summary};
use ir::{Edge, EdgeId, Op, ProcId, Procedure, Program};
use rustc_hash::{FxHashMap, FxHashSet};
use solver::Smt;
use std::cell::RefCell;
use std::collections::BTreeSet;
use term::build::{and, eq, falsehood, implies, not, or, truth};
use term::subst::substitute;
use term::visit::{bound, post_order};
use term::{Op as TermOp, Term};

/// Checks the proof.
pub fn check(
    program: &Program,
    bodies: &[Inlined],
    summaries: &[Summary],
    solver: &dyn Fn() -> Box<dyn Smt>,
) -> Result<(), Rejected> {
    shared::check(program, bodies)?;
    let outside = Outside::new(program, summaries)?;
    // Most conditions hold without axioms that have quantifiers, and one solver answers all of those quickly.
    let shared = RefCell::new(solver());
    let is_plain = |axiom: &&Term| post_order([**axiom]).iter().all(|part| bound(*part).is_empty());
    program.axioms.iter().filter(is_plain).for_each(|axiom| shared.borrow_mut().assert(*axiom));
    let contradicts = |formulas: &[Term], another: Term| {
        let mut smt = shared.borrow_mut();
        smt.push();
        formulas.iter().chain([&another]).for_each(|formula| smt.assert(*formula));
        let answer = smt.check();
        smt.pop();
        if answer.is_unsat() {
            return Ok(true);
        }
        let mut smt = solver();
        program.axioms.iter().chain(formulas).for_each(|formula| smt.assert(*formula));
        smt.assert(another);
        smt.check().decided().map(|model| !model).map_err(Rejected::Undecided)
    };
    for summary in summaries {
        check_summary(&outside, summary, &contradicts)?;
    }
    let mut encoding = Encoding::default();
    let values = encoding.arbitrary(program, program.entry);
    encoding.calls.resize_with(bodies.len(), Vec::new);
    encoding.calls[0].push(Entering { reached: truth(), values, back: None });
    for (number, inlined) in bodies.iter().enumerate() {
        let calls = std::mem::take(&mut encoding.calls[number]);
        Body { outside: &outside, inlined }.encode(calls, &mut encoding)?;
    }
    let bad = or(encoding.bad.iter().copied());
    if contradicts(&encoding.encoder.conjuncts, bad)? { Ok(()) } else { Err(Rejected::Reached) }
}

/// Tells whether formulas exclude one more.
type Contradicts<'a> = &'a dyn Fn(&[Term], Term) -> Result<bool, Rejected>;

fn check_summary(outside: &Outside<'_>, summary: &Summary, contradicts: Contradicts<'_>) -> Result<(), Rejected> {
    let Summary { procedure, returned, failed } = summary;
    let mut encoding = Encoding::default();
    let before = encoding.arbitrary(outside.program, *procedure);
    let call = Entering { reached: truth(), values: before.clone(), back: None };
    let inlined = Inlined { procedure: *procedure, calls: Vec::new() };
    let exit = Body { outside, inlined: &inlined }.encode(vec![call], &mut encoding)?;
    let mut broken: Vec<Term> = Vec::new();
    if let Some(exit) = exit {
        let after = read(*returned, |variable| value_of(variable, &before), |variable| exit.read(variable));
        broken.push(and([exit.reached, not(after)]));
    }
    let allowed = read(*failed, |variable| value_of(variable, &before), |variable| variable);
    broken.push(and([or(encoding.bad.iter().copied()), not(allowed)]));
    match contradicts(&encoding.encoder.conjuncts, or(broken))? {
        true => Ok(()),
        false => Err(Rejected::NoSummary(*procedure)),
    }
}

/// A summary's formula where values at the entry and later ones are as given.
fn read(formula: Term, before: impl Fn(Term) -> Term, after: impl Fn(Term) -> Term) -> Term {
    substitute(formula, |variable| match variable.op() {
        TermOp::Var { instance: 1, .. } => Some(before(variable.at_instance(0))),
        _ => Some(after(variable)),
    })
}

/// What can be seen of a procedure from outside.
#[derive(Clone, Default)]
struct Seen {
    changed: BTreeSet<Term>,
    fails: bool,
}

/// What is known of procedures from outside.
struct Outside<'a> {
    program: &'a Program,
    seen: Vec<Seen>,
    summaries: FxHashMap<ProcId, &'a Summary>,
}

impl<'a> Outside<'a> {
    fn new(program: &'a Program, summaries: &'a [Summary]) -> Result<Outside<'a>, Rejected> {
        let by_procedure: FxHashMap<ProcId, &Summary> = summaries.iter().map(|s| (s.procedure, s)).collect();
        if by_procedure.len() != summaries.len()
            || by_procedure.keys().any(|id| id.0 as usize >= program.procedures.len())
        {
            return Err(Rejected::NotComplete("a summary belongs to no procedure".to_string()));
        }
        Ok(Outside { program, seen: seen(program), summaries: by_procedure })
    }
}

/// The formula while it grows.
#[derive(Default)]
struct Encoding {
    encoder: Encoder,
    /// Whether something is reached that must not be.
    bad: Vec<Term>,
    /// By body, the calls of it that have been encoded.
    calls: Vec<Vec<Entering>>,
}

impl Encoding {
    /// Arbitrary values of globals and of a procedure's parameters.
    fn arbitrary(&mut self, program: &Program, procedure: ProcId) -> Values {
        let variables = program.globals.iter().chain(&program.procedure(procedure).parameters);
        variables.map(|variable| (variable.term, self.encoder.copy(variable.term))).collect()
    }
}

/// What can be seen of all procedures, with what they call.
fn seen(program: &Program) -> Vec<Seen> {
    let globals: FxHashSet<Term> = program.globals.iter().map(|global| global.term).collect();
    let mut seen = vec![Seen::default(); program.procedures.len()];
    loop {
        let mut changed = false;
        for (number, procedure) in program.procedures.iter().enumerate() {
            let new = seen_of(procedure, &globals, &seen);
            let old = &seen[number];
            if (new.changed.len(), new.fails) != (old.changed.len(), old.fails) {
                seen[number] = new;
                changed = true;
            }
        }
        if !changed {
            return seen;
        }
    }
}

fn seen_of(procedure: &Procedure, globals: &FxHashSet<Term>, seen: &[Seen]) -> Seen {
    let mut here = Seen::default();
    let Ok(cfa) = &procedure.body else { return here };
    here.fails = cfa.locations().any(|(_, location)| is_bad(location.kind));
    for (_, edge) in cfa.edges() {
        let written: Vec<Term> = match &edge.op {
            Op::Assign(pairs) => pairs.iter().map(|(variable, _)| *variable).collect(),
            Op::Havoc(variables) => variables.clone(),
            Op::Call { procedure, results, .. } => {
                let callee = &seen[procedure.0 as usize];
                here.fails |= callee.fails;
                results.iter().chain(&callee.changed).copied().collect()
            }
            Op::Spawn { thread, .. } => vec![*thread],
            Op::Assume(_) | Op::AtomicBegin | Op::AtomicEnd => Vec::new(),
        };
        here.changed.extend(written.into_iter().filter(|variable| globals.contains(variable)));
    }
    here
}

/// A call of a body that is to be encoded.
struct Entering {
    /// Whether the call is reached.
    reached: Term,
    /// The values of globals and parameters at the start.
    values: Values,
    back: Option<Return>,
}

/// How a call goes on.
struct Return {
    /// Whether it is passed.
    taken: Term,
    /// What stands for the results and for globals afterwards.
    results: Vec<Term>,
    globals: Vec<(Term, Term)>,
}

struct Body<'a> {
    outside: &'a Outside<'a>,
    inlined: &'a Inlined,
}

impl Body<'_> {
    /// Encodes a body with all its calls: its exit, if that can be reached.
    fn encode(&self, entering: Vec<Entering>, encoding: &mut Encoding) -> Result<Option<End>, Rejected> {
        let procedure = self.outside.program.procedure(self.inlined.procedure);
        let cfa = procedure
            .body
            .as_ref()
            .map_err(|_| Rejected::NotComplete("a procedure without a body is inlined".to_string()))?;
        let Encoding { encoder, bad, calls: encoded } = encoding;
        let (points, returns): (Vec<End>, Vec<Option<Return>>) =
            entering.into_iter().map(|call| (End::start(cfa.entry(), call.reached, call.values), call.back)).unzip();
        let (reached, mut values) = encoder.join(cfa.entry(), points).into_parts();
        let own = procedure.results.iter().chain(&procedure.locals);
        values.extend(own.map(|variable| (variable.term, encoder.copy(variable.term))));
        let start = End::start(cfa.entry(), reached, values);
        let calls: FxHashMap<EdgeId, usize> = self.inlined.calls.iter().copied().collect();
        let mut on_call = |encoder: &mut Encoder, id: EdgeId, edge: &Edge, here: &End, taken: Term| {
            let mut call = Call { outside: self.outside, encoder, here, taken };
            Ok(match calls.get(&id) {
                Some(number) => call.inlined(&edge.op, &mut encoded[*number]),
                None => call.open(&edge.op, bad),
            })
        };
        let ends = encoder.part(cfa, start, &FxHashSet::default(), &mut on_call).map_err(|why| {
            Rejected::NotComplete(match why {
                NoFormula::Cycle(_) => format!("{} has a loop", procedure.name),
                NoFormula::Call(_) => "the program starts threads".to_string(),
            })
        })?;
        bad.extend(ends.iter().filter(|end| is_bad(cfa.location(end.location).kind)).map(|end| end.reached));
        let exit = ends.into_iter().find(|end| end.location == cfa.exit());
        for Return { taken, results, globals } in returns.into_iter().flatten() {
            let holds = match &exit {
                None => falsehood(),
                Some(exit) => {
                    let returned = results.iter().zip(&procedure.results).map(|(r, own)| eq(*r, exit.read(own.term)));
                    let changed = globals.iter().map(|(global, after)| eq(*after, exit.read(*global)));
                    and([exit.reached].into_iter().chain(returned).chain(changed))
                }
            };
            encoder.conjuncts.push(implies(taken, holds));
        }
        Ok(exit)
    }
}

/// A call that is being encoded.
struct Call<'a> {
    outside: &'a Outside<'a>,
    encoder: &'a mut Encoder,
    /// The point in front of it.
    here: &'a End,
    taken: Term,
}

impl Call<'_> {
    /// What stands for the results and for the globals that may change.
    fn copies(&mut self, callee: ProcId, results: &[Term]) -> (Vec<Term>, Vec<(Term, Term)>) {
        let results = results.iter().map(|variable| self.encoder.copy(*variable)).collect();
        let changed = &self.outside.seen[callee.0 as usize].changed;
        (results, changed.iter().map(|global| (*global, self.encoder.copy(*global))).collect())
    }

    /// The values of globals and parameters when the callee starts.
    fn given(&self, callee: ProcId, arguments: &[Term]) -> Values {
        let program = self.outside.program;
        let current = |variable: Term| value_of(variable, self.here.values());
        let mut values: Values = program.globals.iter().map(|global| (global.term, current(global.term))).collect();
        let arguments = arguments.iter().map(|argument| substitute(*argument, |variable| Some(current(variable))));
        values.extend(program.procedure(callee).parameters.iter().map(|parameter| parameter.term).zip(arguments));
        values
    }

    /// The values behind the call.
    fn after(&self, results: &[Term], copies: &[Term], globals: &[(Term, Term)]) -> Values {
        let mut values = self.here.values().clone();
        values.extend(globals.iter().copied());
        values.extend(results.iter().copied().zip(copies.iter().copied()));
        values
    }

    fn inlined(&mut self, op: &Op, calls: &mut Vec<Entering>) -> Values {
        let Op::Call { procedure, arguments, results } = op else { return self.here.values().clone() };
        let (copies, globals) = self.copies(*procedure, results);
        let after = self.after(results, &copies, &globals);
        let back = Some(Return { taken: self.taken, results: copies, globals });
        let values = self.given(*procedure, arguments);
        calls.push(Entering { reached: self.here.reached, values, back });
        after
    }

    fn open(&mut self, op: &Op, bad: &mut Vec<Term>) -> Values {
        let Op::Call { procedure, arguments, results } = op else { return self.here.values().clone() };
        let (copies, globals) = self.copies(*procedure, results);
        let given = self.given(*procedure, arguments);
        let summary = self.outside.summaries.get(procedure);
        if self.outside.seen[procedure.0 as usize].fails {
            let allowed = summary.map(|s| read(s.failed, |v| value_of(v, &given), |v| v));
            bad.push(and([self.here.reached].into_iter().chain(allowed)));
        }
        if let Some(summary) = summary {
            let declared = self.outside.program.procedure(*procedure).results.iter().map(|result| result.term);
            let mut behind: Values = given.clone();
            behind.extend(globals.iter().copied().chain(declared.zip(copies.iter().copied())));
            let holds = read(summary.returned, |v| value_of(v, &given), |v| value_of(v, &behind));
            self.encoder.conjuncts.push(implies(self.taken, holds));
        }
        self.after(results, &copies, &globals)
    }
}
