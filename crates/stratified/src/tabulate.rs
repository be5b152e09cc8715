//! Fills the [`Table`]s of procedures, from the entry on, in the cases in which they are called.
//!
//! Each procedure has a solver that knows its condition, where calls end as the tables tell of the callees so far. A row is
//! complete if the solver finds no new case in which the procedure returns or calls another, and no failure. What a callee's table
//! lacks yet is assumed not to happen; if the answer depends on that, the row is looked at again when the callee's table
//! grows. When nothing is left to look at, the tables hold, by induction over the calls of an execution.

use crate::inlining::Inlining;
use crate::tables::{Case, Domains, Known, Row, Table};
use crate::vc::{Site, Template, flag, interface, tracked};
use engine::Reason;
use ir::ProcId;
use rustc_hash::{FxHashMap, FxHashSet};
use solver::{Answer, Smt, Unknown};
use std::collections::hash_map::Entry;
use term::build::{and, falsehood, not, truth};
use term::{Term, Value};

/// The tables of all procedures for which there is one.
pub struct Tables {
    pub domains: Domains,
    pub tables: FxHashMap<ProcId, Table>,
    /// How many questions were asked.
    pub questions: u64,
}

/// How much is told in tables at most.
const MOST_CASES: usize = 20_000;

/// Makes the tables; none, if they would be too large or take too long.
pub fn tabulate(
    inlining: &mut Inlining<'_>,
    make: &dyn Fn() -> Box<dyn Smt>,
    tick: &mut dyn FnMut() -> Result<bool, Reason>,
) -> Result<Option<Tables>, Reason> {
    let domains = Domains::new(inlining.program);
    let tables = inlining.program.procedures().filter_map(|(id, _)| {
        Table::new(inlining.program, &domains, &inlining.effects[id.0 as usize], id).map(|table| (id, table))
    });
    let tables: FxHashMap<ProcId, Table> = tables.collect();
    let entry = inlining.program.entry;
    let Some(first) = tables.get(&entry).map(|table| vec![Known::Nothing; table.inputs.len()]) else {
        return Ok(None);
    };
    let tables = Tables { domains, tables, questions: 0 };
    let mut work = Work {
        inlining,
        make,
        tables,
        bodies: FxHashMap::default(),
        pending: Vec::new(),
        is_pending: FxHashSet::default(),
        waiting: FxHashMap::default(),
        cases: 0,
    };
    work.add_row(entry, first);
    while let Some((procedure, row)) = work.pending.pop() {
        work.is_pending.remove(&(procedure, row));
        if !tick()? || work.cases > MOST_CASES || !work.complete(procedure, row)? {
            return Ok(None);
        }
    }
    Ok(Some(work.tables))
}

/// A call whose callee has a table.
struct Called {
    callee: ProcId,
    /// What stands for the inputs and outputs of its table.
    inputs: Vec<Term>,
    outputs: Vec<Term>,
    /// Whether it is called in a case that its table does not have yet.
    is_new: Term,
    /// Whether it returns, and whether it fails, as its table does not tell yet.
    more: [Term; 2],
    /// The rows of its table that are known here: how many cases of each, and whether it fails there.
    rows: Vec<(usize, bool)>,
}

/// The questions about a row.
#[derive(Clone, Copy)]
struct Asked {
    /// Whether it returns in a case that is not known.
    returns: Term,
    fails: Term,
    /// Whether there is anything new.
    any: Term,
}

/// A procedure's solver.
struct Body {
    smt: Box<dyn Smt>,
    calls: Vec<Called>,
    /// What stands for the inputs and outputs of its table.
    inputs: Vec<Term>,
    outputs: Vec<Term>,
    asked: FxHashMap<usize, Asked>,
    flags: u32,
}

impl Body {
    fn flag(&mut self, what: &str) -> Term {
        self.flags += 1;
        flag(what, self.flags)
    }

    fn clause(&mut self, literals: impl IntoIterator<Item = Term>) {
        let literals: Vec<Term> = literals.into_iter().filter(|literal| *literal != falsehood()).collect();
        if !literals.contains(&truth()) {
            self.smt.assert_clause(&literals);
        }
    }

    /// At most one of some flags is true.
    fn exclude(&mut self, flags: &[Term]) {
        let mut before: Option<Term> = None;
        for flag in flags {
            let so_far = self.flag("one");
            self.clause([not(*flag), so_far]);
            if let Some(before) = before {
                self.clause([not(before), so_far]);
                self.clause([not(before), not(*flag)]);
            }
            before = Some(so_far);
        }
    }

    fn holds(&mut self, flag: Term) -> bool {
        self.smt.value(flag) == Some(Value::Bool(true))
    }
}

struct Work<'w, 'a> {
    inlining: &'w mut Inlining<'a>,
    make: &'w dyn Fn() -> Box<dyn Smt>,
    tables: Tables,
    bodies: FxHashMap<ProcId, Body>,
    /// The rows that are to be looked at.
    pending: Vec<(ProcId, usize)>,
    is_pending: FxHashSet<(ProcId, usize)>,
    /// The rows that are to be looked at again when a table grows.
    waiting: FxHashMap<ProcId, FxHashSet<(ProcId, usize)>>,
    /// How many cases the tables have.
    cases: usize,
}

impl Work<'_, '_> {
    /// Adds a row, unless it is there.
    fn add_row(&mut self, procedure: ProcId, entry: Case) {
        let Some(table) = self.tables.tables.get_mut(&procedure) else { return };
        let number = table.rows.len();
        if let Entry::Vacant(place) = table.numbers.entry(entry.clone()) {
            place.insert(number);
            table.rows.push(Row { entry, exits: Vec::new(), fails: false });
            self.cases += 1;
            self.push((procedure, number));
        }
    }

    fn push(&mut self, row: (ProcId, usize)) {
        if self.is_pending.insert(row) {
            self.pending.push(row);
        }
    }

    /// A table has grown.
    fn wake(&mut self, procedure: ProcId) {
        for row in self.waiting.remove(&procedure).unwrap_or_default() {
            self.push(row);
        }
    }

    /// Finds all that a row lacks; `false` if the solver is at a loss.
    fn complete(&mut self, procedure: ProcId, row: usize) -> Result<bool, Reason> {
        let mut body = match self.bodies.remove(&procedure) {
            Some(body) => body,
            None => self.body(procedure)?,
        };
        let completed = self.look(procedure, row, &mut body);
        self.bodies.insert(procedure, body);
        completed
    }

    fn look(&mut self, procedure: ProcId, number: usize, body: &mut Body) -> Result<bool, Reason> {
        for call in 0..body.calls.len() {
            self.update(body, call);
        }
        let asked = ask(body, number);
        loop {
            let Tables { domains, tables, questions } = &mut self.tables;
            let Some(table) = tables.get_mut(&procedure) else { return Ok(false) };
            let (inputs, outputs) = (table.inputs.clone(), table.outputs.clone());
            let row = &mut table.rows[number];
            let mut assumptions = vec![asked.any, domains.holds(&inputs, &row.entry, body.inputs.iter().copied())];
            assumptions.extend(row.fails.then(|| not(asked.fails)));
            assumptions.extend(body.calls.iter().flat_map(|call| call.more).filter(|f| *f != falsehood()).map(not));
            *questions += 1;
            match body.smt.check_assuming(&assumptions) {
                Answer::Unsat => {
                    let core: FxHashSet<Term> = body.smt.core().iter().copied().collect();
                    // A procedure that calls itself has told of more ends since its calls were told of them.
                    let news = (0..body.calls.len()).filter(|call| self.update(body, *call)).count();
                    if news > 0 {
                        continue;
                    }
                    let needs = |call: &&Called| call.more.iter().any(|more| core.contains(&not(*more)));
                    for call in body.calls.iter().filter(needs) {
                        self.waiting.entry(call.callee).or_default().insert((procedure, number));
                    }
                    return Ok(true);
                }
                Answer::Sat => {}
                Answer::Unknown(Unknown::Incomplete(_)) if body.smt.has_candidate() => {}
                Answer::Unknown(Unknown::Timeout) => return Ok(false),
                Answer::Unknown(why) => return Err(crate::solver_reason(why)),
            }
            if !row.fails && body.holds(asked.fails) {
                row.fails = true;
                self.wake(procedure);
            } else if body.holds(asked.returns) {
                let Some(exit) = case(domains, &outputs, &body.outputs, body.smt.as_mut()) else { return Ok(false) };
                if row.exits.contains(&exit) {
                    return Ok(false);
                }
                let told = domains.holds(&outputs, &exit, body.outputs.iter().copied());
                body.clause([not(asked.returns), not(told)]);
                row.exits.push(exit);
                self.cases += 1;
                self.wake(procedure);
            } else {
                let flags: Vec<Term> = body.calls.iter().map(|call| call.is_new).collect();
                let Some(call) = flags.into_iter().position(|flag| body.holds(flag)) else { return Ok(false) };
                let Called { callee, inputs, .. } = &body.calls[call];
                let Some(table) = tables.get(callee) else { return Ok(false) };
                let Some(entry) = case(domains, &table.inputs, inputs, body.smt.as_mut()) else { return Ok(false) };
                let is_known = table.numbers.get(&entry).is_some_and(|row| *row < body.calls[call].rows.len());
                if is_known {
                    return Ok(false);
                }
                self.add_row(*callee, entry);
                self.update(body, call);
            }
        }
    }

    /// Tells a body what has become known of a call's ends; whether there was anything.
    fn update(&self, body: &mut Body, number: usize) -> bool {
        let Tables { domains, tables, .. } = &self.tables;
        let Some(table) = tables.get(&body.calls[number].callee) else { return false };
        let mut is_news = false;
        for (place, row) in table.rows.iter().enumerate() {
            let call = &body.calls[number];
            let (known, fails) = call.rows.get(place).copied().unwrap_or((0, false));
            if call.rows.len() > place && known == row.exits.len() && fails == row.fails {
                continue;
            }
            is_news = true;
            let entered = domains.holds(&table.inputs, &row.entry, call.inputs.iter().copied());
            let (is_new, outputs) = (call.is_new, call.outputs.clone());
            if call.rows.len() == place {
                body.calls[number].rows.push((0, false));
                body.clause([not(is_new), not(entered)]);
            }
            let returned =
                row.exits[known..].iter().map(|exit| (0, domains.holds(&table.outputs, exit, outputs.iter().copied())));
            let failed = (row.fails && !fails).then(|| (1, truth()));
            for (way, end) in returned.chain(failed) {
                let more = body.flag("more");
                let before = std::mem::replace(&mut body.calls[number].more[way], more);
                body.clause([not(before), and([entered, end]), more]);
            }
            body.calls[number].rows[place] = (row.exits.len(), row.fails);
        }
        is_news
    }

    fn body(&mut self, procedure: ProcId) -> Result<Body, Reason> {
        let template = self.inlining.template(procedure)?;
        let program = self.inlining.program;
        let table = &self.tables.tables[&procedure];
        let place = |variable: &Term| template.outputs.iter().position(|output| output == variable);
        let outputs = table.outputs.iter().filter_map(place).filter_map(|place| template.returned.get(place).copied());
        let mut body = Body {
            smt: (self.make)(),
            calls: Vec::new(),
            inputs: table.inputs.clone(),
            outputs: outputs.collect(),
            asked: FxHashMap::default(),
            flags: 0,
        };
        program.globals.iter().for_each(|global| body.smt.assert(tracked(global.term)));
        template.clauses.iter().for_each(|clause| body.smt.assert_clause(clause));
        for Site { callee, taken, failed, inputs, outputs, .. } in &template.sites {
            let known = self.inlining.known(*callee, *taken, inputs, outputs);
            known.into_iter().for_each(|clause| body.clause(clause));
            let Some(table) = self.tables.tables.get(callee) else { continue };
            let (declared_inputs, declared_outputs) = interface(program, &self.inlining.effects, *callee);
            let failed = failed.unwrap_or(falsehood());
            let is_new = body.flag("new");
            let more = [*taken, failed].map(|way| if way == falsehood() { falsehood() } else { body.flag("more") });
            body.clause([not(is_new), *taken, failed]);
            body.clause([not(*taken), is_new, more[0]]);
            body.clause([not(failed), is_new, more[1]]);
            body.calls.push(Called {
                callee: *callee,
                inputs: actual(&table.inputs, &declared_inputs, inputs),
                outputs: actual(&table.outputs, &declared_outputs, outputs),
                is_new,
                more,
                rows: Vec::new(),
            });
        }
        let flags: Vec<Term> = body.calls.iter().map(|call| call.is_new).collect();
        body.exclude(&flags);
        Ok(body)
    }
}

/// What stands for some of the declared variables.
fn actual(variables: &[Term], declared: &[Term], terms: &[Term]) -> Vec<Term> {
    let place = |variable: &Term| declared.iter().position(|other| other == variable);
    variables.iter().filter_map(place).map(|place| terms[place]).collect()
}

/// The case in which terms, which stand for variables, are in the model.
fn case(domains: &Domains, variables: &[Term], terms: &[Term], smt: &mut dyn Smt) -> Option<Case> {
    let known = |(variable, term): (&Term, &Term)| Some(domains.known(*variable, smt.value(*term)?));
    variables.iter().zip(terms).map(known).collect()
}

/// The questions about a row, which are made when it is looked at first.
fn ask(body: &mut Body, row: usize) -> Asked {
    if let Some(asked) = body.asked.get(&row) {
        return *asked;
    }
    let asked = Asked { returns: body.flag("returns"), fails: body.flag("fails"), any: body.flag("any") };
    body.clause([not(asked.returns), Template::exit()]);
    body.clause([not(asked.fails), Template::failed()]);
    let news: Vec<Term> = body.calls.iter().map(|call| call.is_new).collect();
    body.clause([not(asked.any), asked.returns, asked.fails].into_iter().chain(news.iter().copied()));
    // What follows a call in a new case is not known yet.
    for new in news {
        body.clause([not(asked.returns), not(new)]);
        body.clause([not(asked.fails), not(new)]);
    }
    body.asked.insert(row, asked);
    asked
}
