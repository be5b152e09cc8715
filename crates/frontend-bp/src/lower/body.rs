//! Writes the automaton of one function.

use super::{Lowering, empty, tidy, user_variable};
use crate::syntax::{Expr, Function, Name, Statement, StatementKind};
use ir::{CfaBuilder, LocId, LocationKind, Op, Procedure, Variable};
use rustc_hash::FxHashMap;
use source::{Place, Symbol};
use term::{Sort, Term};

/// What is known while a function is being lowered.
pub struct Body<'a> {
    /// The function's index.
    pub index: usize,
    pub name: Symbol,
    pub builder: CfaBuilder,
    /// Where the next edge starts; `None` where control cannot come to.
    here: Option<LocId>,
    pub variables: FxHashMap<Symbol, Term>,
    pub labels: FxHashMap<Symbol, LocId>,
    pub results: Vec<Term>,
    pub locals: Vec<Variable>,
    /// Variables for `*` and the like, which every statement uses anew.
    spare: Vec<Term>,
    used: usize,
    pub enforced: Option<&'a Expr>,
}

impl Body<'_> {
    pub fn new<'a>(index: usize, name: Symbol, place: Option<Place>) -> Body<'a> {
        Body {
            index,
            name,
            builder: CfaBuilder::new(place, place),
            here: Some(CfaBuilder::ENTRY),
            variables: FxHashMap::default(),
            labels: FxHashMap::default(),
            results: Vec::new(),
            locals: Vec::new(),
            spare: Vec::new(),
            used: 0,
            enforced: None,
        }
    }

    /// Where the next edge starts: somewhere unreachable, if control cannot come here.
    pub fn here(&mut self) -> LocId {
        match self.here {
            Some(here) => here,
            None => {
                let here = self.builder.location(None);
                self.here = Some(here);
                here
            }
        }
    }

    pub fn go_on_at(&mut self, location: LocId) {
        self.here = Some(location);
    }

    /// Control does not come further.
    pub fn stop(&mut self) {
        self.here = None;
    }

    /// An operation, after which control is at a new location.
    pub fn step(&mut self, op: Op, place: Option<Place>) {
        let from = self.here();
        self.here = Some(self.builder.step(from, op, place));
    }

    /// An operation that leads to a given location.
    pub fn lead(&mut self, op: Op, to: LocId, place: Option<Place>) {
        let from = self.here();
        self.builder.edge(from, op, to, place);
    }

    /// Control goes to a location.
    pub fn jump(&mut self, to: LocId, place: Option<Place>) {
        self.lead(Op::skip(), to, place);
        self.stop();
    }

    pub fn havoc(&mut self, variables: Vec<Term>, place: Option<Place>) {
        if !variables.is_empty() {
            self.step(Op::Havoc(variables), place);
        }
    }

    /// A variable that the statement under way may use as it likes.
    pub fn spare(&mut self) -> Term {
        if self.used == self.spare.len() {
            let variable = self.internal(&format!("*{}", self.used), Sort::bool());
            self.spare.push(variable);
        }
        self.used += 1;
        self.spare[self.used - 1]
    }

    /// The spare variables are free again.
    pub fn next_statement(&mut self) {
        self.used = 0;
    }

    pub fn internal(&mut self, name: &str, sort: Sort) -> Term {
        let variable = Variable::internal(format!("{}::{name}", self.name).as_str(), sort);
        let term = variable.term;
        self.locals.push(variable);
        term
    }

    /// The variable that takes the numbers of threads, which nobody reads.
    pub fn thread_number(&mut self) -> Term {
        let name = format!("{}::$thread", self.name);
        let known = self.locals.iter().find(|local| local.name().as_str() == name).map(|local| local.term);
        known.unwrap_or_else(|| self.internal("$thread", Sort::bv(32)))
    }
}

impl<'a> Lowering<'a> {
    /// The procedure of a function: the whole of it, or what a thread does that starts at one of its labels.
    pub fn body(&mut self, index: usize, name: Symbol, from: Option<Symbol>) -> Procedure {
        let function = self.function(index);
        let place = self.place(function.name.span);
        let mut body = Body::new(index, name, place);
        let mut procedure = empty(name, place);
        let all = self.variables(&mut body, function);
        let parameters = match from {
            Some(_) => all.len(),
            None => function.parameters.len().min(all.len()),
        };
        procedure.parameters = all[..parameters].to_vec();
        body.locals.extend_from_slice(&all[parameters..]);
        for number in 0..function.results {
            let result = Variable::internal(format!("{name}::$result{number}").as_str(), Sort::bool());
            body.results.push(result.term);
            procedure.results.push(result);
        }
        self.labels(&mut body, &function.body);
        if let Some(label) = from
            && let Some(location) = body.labels.get(&label).copied()
        {
            body.jump(location, place);
        }
        self.block(&mut body, &function.body);
        self.finish(&mut body, function);
        procedure.locals = body.locals;
        procedure.body = Ok(tidy::tidy(body.builder.finish()));
        procedure
    }

    /// What happens where control reaches the end of a function.
    fn finish(&mut self, body: &mut Body<'a>, function: &Function) {
        let place = self.place(function.end);
        self.enforce(body, place);
        let results = body.results.clone();
        body.havoc(results, place);
        body.jump(CfaBuilder::EXIT, place);
    }

    /// The function's parameters and then its variables, wherever it declares them.
    fn variables(&mut self, body: &mut Body<'a>, function: &'a Function) -> Vec<Variable> {
        let mut names: Vec<Name> = function.parameters.clone();
        collect(&function.body, &mut names);
        let mut variables = Vec::new();
        for name in names {
            if name.text.as_str() == "_" {
                self.error(name.span, "`_` is no name of a variable: it stands for a result that nobody wants");
            }
            let place = self.place(name.span);
            let variable = user_variable(Symbol::new(&format!("{}::{}", body.name, name.text)), name.text, place);
            match body.variables.insert(name.text, variable.term) {
                Some(_) => {
                    self.error(name.span, format!("the variable `{}` is declared twice in its function", name.text))
                }
                None => variables.push(variable),
            }
        }
        variables
    }

    /// Gives a location to every statement with labels.
    fn labels(&mut self, body: &mut Body<'a>, statements: &'a [Statement]) {
        for statement in statements {
            if let Some(first) = statement.labels.first() {
                let place = self.place(statement.span);
                let location = body.builder.special(LocationKind::Plain, place);
                body.builder.set_label(location, first.text);
                for label in &statement.labels {
                    // SLAM repeats labels of one statement.
                    if body.labels.insert(label.text, location).is_some_and(|old| old != location) {
                        self.error(label.span, format!("the label `{}` stands twice in its function", label.text));
                    }
                }
            }
            match &statement.kind {
                StatementKind::If { branches, otherwise } => {
                    branches.iter().for_each(|(_, block)| self.labels(body, block));
                    self.labels(body, otherwise);
                }
                StatementKind::While(_, block) => self.labels(body, block),
                _ => {}
            }
        }
    }
}

/// The names that statements declare.
pub fn collect(statements: &[Statement], names: &mut Vec<Name>) {
    for statement in statements {
        match &statement.kind {
            StatementKind::Declare(declared) => names.extend(declared.iter().map(|one| one.name)),
            StatementKind::If { branches, otherwise } => {
                branches.iter().for_each(|(_, block)| collect(block, names));
                collect(otherwise, names);
            }
            StatementKind::While(_, block) => collect(block, names),
            _ => {}
        }
    }
}
