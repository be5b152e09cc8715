//! The partially inlined program P and its open call sites C.
//!
//! An [`Instance`] is a procedure's body in the place of a call. Its condition is the procedure's [`Template`] under new names:
//! the inputs are the caller's terms, the two ends are the flags of the call, what the template made up is moved to
//! instance numbers of its own. It is asserted once and stays. A call that is not inlined is *open*: nothing is asserted about
//! it but its summary, and assuming that its flags are false blocks it.

use crate::effects::{Effect, effects};
use crate::goals::End;
use crate::sharing::{Inlined, Sharing};
use crate::summary::{assumed_at_exits, at_entry};
use crate::vc::{Guard, NoTemplate, Template, flag, interface, is_common, template};
use engine::{Proof, Reason, Summary};
use ir::{EdgeId, ProcId, Program};
use rustc_hash::FxHashMap;
use solver::Smt;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use term::build::{and, eq, falsehood, not, truth};
use term::subst::{Substitution, substitute};
use term::{Op as TermOp, Term};

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct InstanceId(pub usize);

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct SiteId(pub usize);

/// A body in the place of a call.
pub struct Instance {
    pub template: Rc<Template>,
    /// What the template calls instance n is instance `base + n`.
    pub base: u32,
    /// Whether an execution returns from it, and whether it fails in it.
    pub exit: Term,
    pub failed: Term,
    /// The call that it was made for; none for the entry. Other calls may share it.
    pub call: Option<SiteId>,
    /// Its calls are the sites from here on, in the template's order.
    pub first_site: usize,
    /// How often each recursive procedure runs, it included.
    pub stack: Rc<Stack>,
    /// The names of its inputs, if it has some of its own so that it can be shared.
    inputs: Option<Vec<Term>>,
}

/// How often recursive procedures run.
pub type Stack = BTreeMap<ProcId, u32>;

impl Instance {
    /// What a variable of the template is here.
    pub fn actual(&self, variable: Term) -> Term {
        match variable.op() {
            TermOp::Var { instance: 0, .. } if variable == Template::exit() => self.exit,
            TermOp::Var { instance: 0, .. } if variable == Template::failed() => self.failed,
            TermOp::Var { instance: 0, .. } if is_common(variable) => variable,
            TermOp::Var { instance, .. } => variable.at_instance(self.base + instance),
            _ => variable,
        }
    }
}

/// A call-site of the paper: a call in an instance, which knows its stack.
pub struct CallSite {
    pub instance: InstanceId,
    pub edge: EdgeId,
    pub callee: ProcId,
    pub taken: Term,
    pub failed: Option<Term>,
    inputs: Vec<Term>,
    outputs: Vec<Term>,
    /// The paper's cost: how often the callee runs already when it is called here.
    pub cost: u32,
    /// How many calls are open around the callee, with this one.
    pub depth: u32,
    /// How often each recursive procedure runs in the callee.
    pub stack: Rc<Stack>,
    pub inlined: Option<InstanceId>,
}

impl CallSite {
    /// What must be assumed to block the call.
    pub fn blocked(&self) -> impl Iterator<Item = Term> {
        [Some(self.taken), self.failed].into_iter().flatten().filter(|flag| *flag != falsehood()).map(not)
    }
}

/// What lemmas tell of a procedure: of its returns, and of the values at its entry if it fails.
struct Told {
    returned: Vec<Term>,
    failed: Term,
}

/// P and C.
pub struct Inlining<'a> {
    pub program: &'a Program,
    pub effects: Vec<Effect>,
    guard: Guard,
    templates: FxHashMap<ProcId, Rc<Template>>,
    /// What holds when a procedure returns, by its number.
    summaries: Vec<Vec<Term>>,
    told: FxHashMap<ProcId, Told>,
    pub instances: Vec<Instance>,
    pub sites: Vec<CallSite>,
    /// The sites that are not inlined, in the order in which they came.
    pub open: Vec<SiteId>,
    /// The next instance number that is not in use.
    next: u32,
    /// The sites below this number were candidates of [`Inlining::inline_small`] already.
    looked_at: usize,
    pub sharing: Sharing,
}

impl<'a> Inlining<'a> {
    /// With conditions that are parameterised by these globals.
    pub fn new(program: &'a Program, parameters: impl IntoIterator<Item = Term>) -> Inlining<'a> {
        let effects = effects(program);
        Inlining {
            program,
            guard: Guard::new(parameters),
            summaries: assumed_at_exits(program, &effects),
            effects,
            templates: FxHashMap::default(),
            told: FxHashMap::default(),
            instances: Vec::new(),
            sites: Vec::new(),
            open: Vec::new(),
            next: 1,
            looked_at: 0,
            sharing: Sharing::new(program),
        }
    }

    /// The condition of a procedure, made when it is needed first.
    pub fn template(&mut self, id: ProcId) -> Result<Rc<Template>, Reason> {
        if let Some(known) = self.templates.get(&id) {
            return Ok(known.clone());
        }
        let procedure = self.program.procedure(id);
        let Ok(cfa) = &procedure.body else {
            return Err(Reason::NotAttempted(format!("{} has no body", procedure.name)));
        };
        let made = template(self.program, &self.effects, &mut self.guard, id, cfa).map_err(|why| {
            Reason::NotAttempted(match why {
                NoTemplate::Loop => format!("{} has a loop", procedure.name),
                NoTemplate::Thread => "the program starts threads".to_string(),
            })
        })?;
        let made = Rc::new(made);
        self.templates.insert(id, made.clone());
        Ok(made)
    }

    /// Starts with the entry, which must fail.
    pub fn start(&mut self, smt: &mut dyn Smt) -> Result<(), Reason> {
        let template = self.template(self.program.entry)?;
        let inputs = template.inputs.clone();
        self.add(template, None, (falsehood(), truth()), &inputs, false, Some(smt));
        Ok(())
    }

    /// The same without a solver, for one path: nothing is asserted, and nothing is known of calls.
    pub fn start_path(&mut self) -> Result<(), Reason> {
        let template = self.template(self.program.entry)?;
        let inputs = template.inputs.clone();
        self.add(template, None, (falsehood(), truth()), &inputs, false, None);
        Ok(())
    }

    /// Puts the callee's body in the place of an open call.
    pub fn inline(&mut self, id: SiteId, smt: &mut dyn Smt) -> Result<InstanceId, Reason> {
        self.put(id, Some(smt))
    }

    /// The same without a solver, for one path.
    pub fn inline_path(&mut self, id: SiteId) -> Result<InstanceId, Reason> {
        self.put(id, None)
    }

    fn put(&mut self, id: SiteId, mut smt: Option<&mut dyn Smt>) -> Result<InstanceId, Reason> {
        let template = self.template(self.sites[id.0].callee)?;
        let is_shareable = smt.is_some() && self.sharing.is_for(&template);
        let there = Inlined { program: self.program, instances: &self.instances, sites: &self.sites };
        let found = if is_shareable { self.sharing.find(there, id) } else { None };
        let site = &self.sites[id.0];
        let ends = (site.taken, site.failed.unwrap_or(falsehood()));
        let (inputs, outputs) = (site.inputs.clone(), site.outputs.clone());
        let instance = match found {
            Some(shared) => shared,
            None if is_shareable => {
                let base = self.next;
                let ends = (Template::exit().at_instance(base), Template::failed().at_instance(base));
                let own: Vec<Term> = template.inputs.iter().map(|input| input.at_instance(base)).collect();
                self.add(template, Some(id), ends, &own, true, again(&mut smt))
            }
            None => self.add(template, Some(id), ends, &inputs, false, again(&mut smt)),
        };
        if let Some(smt) = smt {
            self.bind(instance, ends, &inputs, &outputs, smt);
        }
        self.sites[id.0].inlined = Some(instance);
        Ok(instance)
    }

    /// Says what a body is given by a call and gives it.
    fn bind(
        &mut self,
        instance: InstanceId,
        (taken, failed): (Term, Term),
        inputs: &[Term],
        outputs: &[Term],
        smt: &mut dyn Smt,
    ) {
        let body = &self.instances[instance.0];
        let template = body.template.clone();
        let mut clauses: Vec<Vec<Term>> = Vec::new();
        if let Some(own) = &body.inputs {
            clauses.extend([vec![not(taken), body.exit], vec![not(failed), body.failed]]);
            let called = flag("called", self.next);
            self.next += 1;
            clauses.extend([vec![not(taken), called], vec![not(failed), called]]);
            for ((variable, own), input) in template.inputs.iter().zip(own).zip(inputs) {
                let mut clause = self.guard.of(*variable);
                clause.extend([not(called), eq(*own, *input)]);
                clauses.push(clause);
            }
        }
        if taken != falsehood() && template.returns {
            let given: FxHashMap<Term, Term> = match &body.inputs {
                Some(own) => template.inputs.iter().copied().zip(own.iter().copied()).collect(),
                None => template.inputs.iter().copied().zip(inputs.iter().copied()).collect(),
            };
            let mut naming = naming(body, &given);
            for ((variable, output), returned) in template.outputs.iter().zip(outputs).zip(&template.returned) {
                let mut clause = self.guard.of(*variable);
                clause.extend([not(taken), eq(*output, naming.apply(*returned))]);
                clauses.push(clause);
            }
        }
        clauses.iter().for_each(|clause| assert_clause(&mut Some(&mut *smt), clause));
    }

    /// Inlines the new calls whose bodies are small and call nothing: asking whether they matter would cost more. Those that
    /// change nothing decisive wait.
    pub fn inline_small(&mut self, decisive: &BTreeSet<Term>, smt: &mut dyn Smt) -> Result<(), Reason> {
        for number in std::mem::replace(&mut self.looked_at, self.sites.len())..self.sites.len() {
            let site = &self.sites[number];
            if site.inlined.is_none() && self.may_matter(SiteId(number), decisive) {
                let template = self.template(site.callee)?;
                if template.is_small() {
                    self.inline(SiteId(number), smt)?;
                }
            }
        }
        Ok(())
    }

    /// Makes all open calls candidates of [`Inlining::inline_small`] again.
    pub fn look_again(&mut self) {
        self.looked_at = 0;
    }

    /// Whether a call may fail or change one of some variables.
    pub fn may_matter(&self, site: SiteId, decisive: &BTreeSet<Term>) -> bool {
        let effect = &self.effects[self.sites[site.0].callee.0 as usize];
        effect.fails || !effect.changed.is_disjoint(decisive)
    }

    /// What holds when a procedure returns, over the values at the exit and those [`at_entry`].
    pub fn summary(&self, procedure: ProcId) -> &[Term] {
        &self.summaries[procedure.0 as usize]
    }

    /// Forgets sites that are inlined from the list of the open ones.
    pub fn settle(&mut self) {
        let sites = &self.sites;
        self.open.retain(|site| sites[site.0].inlined.is_none());
    }

    /// Adds a body. If it can be shared, its inputs and ends are names of its own, and calls are bound to it.
    fn add(
        &mut self,
        template: Rc<Template>,
        call: Option<SiteId>,
        (exit, failed): (Term, Term),
        inputs: &[Term],
        is_shareable: bool,
        mut smt: Option<&mut dyn Smt>,
    ) -> InstanceId {
        let id = InstanceId(self.instances.len());
        let base = self.next;
        self.next += template.copies + 1;
        let stack = match call {
            Some(call) => self.sites[call.0].stack.clone(),
            None => self.with(&Rc::default(), template.procedure),
        };
        let first_site = self.sites.len();
        let own = is_shareable.then(|| inputs.to_vec());
        let instance =
            Instance { template: template.clone(), base, exit, failed, call, first_site, stack, inputs: own };
        let given: FxHashMap<Term, Term> = template.inputs.iter().copied().zip(inputs.iter().copied()).collect();
        let mut naming = naming(&instance, &given);
        let clauses = if smt.is_some() { &template.clauses[..] } else { &[] };
        for clause in clauses {
            let literals: Vec<Term> = clause.iter().map(|literal| naming.apply(*literal)).collect();
            assert_clause(&mut smt, &literals);
        }
        let sites: Vec<CallSite> = template
            .sites
            .iter()
            .map(|site| CallSite {
                instance: id,
                edge: site.edge,
                callee: site.callee,
                taken: naming.apply(site.taken),
                failed: site.failed.map(|failed| naming.apply(failed)),
                inputs: site.inputs.iter().map(|input| naming.apply(*input)).collect(),
                outputs: site.outputs.iter().map(|output| naming.apply(*output)).collect(),
                cost: instance.stack.get(&site.callee).copied().unwrap_or(0),
                depth: call.map_or(0, |call| self.sites[call.0].depth) + 1,
                stack: self.with(&instance.stack, site.callee),
                inlined: None,
            })
            .collect();
        drop(naming);
        self.sharing.add(template.procedure, call, is_shareable);
        self.instances.push(instance);
        for site in sites {
            if smt.is_some() {
                let known = self.known(site.callee, site.taken, &site.inputs, &site.outputs);
                known.into_iter().chain(self.told(&site)).for_each(|clause| assert_clause(&mut smt, &clause));
            }
            self.open.push(SiteId(self.sites.len()));
            self.sites.push(site);
        }
        id
    }

    /// A stack with one more procedure.
    fn with(&self, stack: &Rc<Stack>, procedure: ProcId) -> Rc<Stack> {
        let mut stack = stack.clone();
        if self.effects[procedure.0 as usize].recursive {
            *Rc::make_mut(&mut stack).entry(procedure).or_default() += 1;
        }
        stack
    }

    /// What is known of a call, as clauses.
    pub fn known(&mut self, callee: ProcId, taken: Term, inputs: &[Term], outputs: &[Term]) -> Vec<Vec<Term>> {
        let summary = &self.summaries[callee.0 as usize];
        if summary.is_empty() || taken == falsehood() {
            return Vec::new();
        }
        let guard = &mut self.guard;
        let values = callee_values(self.program, &self.effects, callee, inputs, outputs);
        let mut naming = Substitution::new(|variable| values.get(&variable).copied());
        let clause = |formula: &Term| {
            let now = substitute(*formula, |variable| Some(variable.at_instance(0)));
            let mut clause = guard.of(now);
            clause.extend([not(taken), naming.apply(*formula)]);
            clause
        };
        summary.iter().map(clause).collect()
    }

    /// What the lemmas tell of a call, as clauses. It holds for all executions, so it is not parameterised.
    fn told(&self, site: &CallSite) -> Vec<Vec<Term>> {
        let Some(Told { returned, failed }) = self.told.get(&site.callee) else { return Vec::new() };
        let values = callee_values(self.program, &self.effects, site.callee, &site.inputs, &site.outputs);
        let mut naming = Substitution::new(|variable| values.get(&variable).copied());
        let mut clauses: Vec<Vec<Term>> = match site.taken == falsehood() {
            true => Vec::new(),
            false => returned.iter().map(|formula| vec![not(site.taken), naming.apply(*formula)]).collect(),
        };
        clauses.extend(site.failed.map(|flag| vec![not(flag), naming.apply(*failed)]));
        clauses
    }

    /// Learns what holds when procedures end. It counts for calls that are added later.
    pub fn learn(&mut self, lemmas: impl Iterator<Item = (ProcId, End, Term)>) {
        for (procedure, end, lemma) in lemmas {
            let told = self.told.entry(procedure).or_insert_with(|| Told { returned: Vec::new(), failed: truth() });
            match end {
                End::Returns => told.returned.push(lemma),
                End::Fails => told.failed = and([told.failed, lemma]),
            }
        }
    }

    /// Tells of the calls that are open what was learnt since they were added.
    pub fn tell_open(&self, smt: &mut dyn Smt) {
        let told = self.open.iter().flat_map(|site| self.told(&self.sites[site.0]));
        told.for_each(|clause| assert_clause(&mut Some(&mut *smt), &clause));
    }

    /// What lemmas tell of a procedure when it returns.
    pub fn told_at_exit(&self, procedure: ProcId) -> &[Term] {
        self.told.get(&procedure).map_or(&[], |told| &told.returned)
    }

    /// The site of a call in an instance.
    pub fn site_of(&self, instance: InstanceId, edge: EdgeId) -> Option<SiteId> {
        let Instance { template, first_site, .. } = &self.instances[instance.0];
        template.sites.iter().position(|site| site.edge == edge).map(|number| SiteId(first_site + number))
    }

    /// What is inlined, as a proof tells it: callers come first.
    pub fn proof(&self) -> Proof {
        let mut order: Vec<InstanceId> = (0..self.instances.len()).map(InstanceId).collect();
        order.sort_by_key(|instance| self.sharing.rank(*instance));
        let body = |instance: &InstanceId| {
            let Instance { template, first_site, .. } = &self.instances[instance.0];
            let calls = self.sites[*first_site..first_site + template.sites.len()].iter();
            let calls = calls.filter_map(|site| Some((site.edge, self.sharing.rank(site.inlined?)))).collect();
            engine::Inlined { procedure: template.procedure, calls }
        };
        let bodies = order.iter().map(body).collect();
        let known = self.program.procedures().map(|(procedure, _)| Summary {
            procedure,
            returned: and(self.summary(procedure).iter().chain(self.told_at_exit(procedure)).copied()),
            failed: self.told.get(&procedure).map_or_else(truth, |told| told.failed),
        });
        let summaries = known.filter(|summary| summary.returned != truth() || summary.failed != truth()).collect();
        Proof::Inlined { bodies, summaries }
    }
}

/// Gives the variables of a body's template the names that they have in it.
fn naming<'n>(
    instance: &'n Instance,
    given: &'n FxHashMap<Term, Term>,
) -> Substitution<impl FnMut(Term) -> Option<Term> + 'n> {
    Substitution::new(|variable| Some(given.get(&variable).copied().unwrap_or_else(|| instance.actual(variable))))
}

/// The values of a procedure's variables, at its entry and at its exit, where it is called.
pub fn callee_values(
    program: &Program,
    effects: &[Effect],
    callee: ProcId,
    inputs: &[Term],
    outputs: &[Term],
) -> FxHashMap<Term, Term> {
    let (declared_inputs, declared_outputs) = interface(program, effects, callee);
    let before = declared_inputs.into_iter().map(at_entry).zip(inputs.iter().copied());
    before.chain(declared_outputs.into_iter().zip(outputs.iter().copied())).collect()
}

/// A solver, to be used once more afterwards.
fn again<'s>(smt: &'s mut Option<&mut dyn Smt>) -> Option<&'s mut dyn Smt> {
    smt.as_mut().map(|smt| &mut **smt as &mut dyn Smt)
}

fn assert_clause(smt: &mut Option<&mut dyn Smt>, literals: &[Term]) {
    if let Some(smt) = smt
        && !literals.contains(&truth())
    {
        smt.assert_clause(literals);
    }
}
