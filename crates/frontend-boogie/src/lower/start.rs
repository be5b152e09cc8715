//! The program as a whole, and how it starts.
//!
//! Most programs start with the entry itself. Where more must happen first, a procedure of our own calls it: it gives the
//! bookkeeping about threads its first values and assumes what is declared of globals. With threads, it never
//! returns, because the others go on when the first has ended.

use super::context::{Env, Lowering, Old, Refused};
use super::first::choose_first_values;
use super::writer::{EXIT, Frame};
use ir::{Op, ProcId, Program};
use source::Place;
use term::Term;

impl Lowering<'_> {
    pub fn program(mut self) -> Program {
        let span = self.unit.procedure(self.entry).span;
        let place = self.place(span);
        let entry = self.entry;
        match self.procedure(entry, &[], span) {
            Ok(entry) => {
                self.lower_pending();
                let conditions = self.conditions_of_globals();
                self.lower_axioms();
                let has_more = self.threads.is_used || !conditions.is_empty() || !self.threads.initial.is_empty();
                self.program.entry = match has_more || !self.refused_axioms.is_empty() {
                    true => self.start(entry, conditions, place),
                    false => entry,
                };
            }
            Err(refused) => {
                // The types of its parameters cannot be expressed.
                self.refused_axioms.push(refused);
                self.program.entry = self.start(ProcId(0), Vec::new(), place);
            }
        }
        choose_first_values(&mut self.program);
        self.program
    }

    /// The `where` clauses of the globals that the program mentions.
    pub fn conditions_of_globals(&mut self) -> Vec<(Term, Place)> {
        let mut conditions = Vec::new();
        let mut env = Env { old: Old::Now, ..Env::default() };
        let mut done = 0;
        // The clauses may mention more of them.
        while done < self.program.globals.len() {
            done = self.program.globals.len();
            conditions.clear();
            for global in self.unit.globals.clone() {
                let variable = self.unit.variable(global);
                let (Some(condition), span) = (variable.condition, variable.span) else { continue };
                if !self.globals.contains_key(&global) {
                    continue;
                }
                match self.expr(condition, &mut env) {
                    Ok(condition) if condition.as_bool() == Some(true) => {}
                    Ok(condition) => conditions.push((condition, self.map.place(span))),
                    Err(refused) => self.refused_axioms.push(refused),
                }
            }
        }
        conditions
    }

    fn start(&mut self, entry: ProcId, conditions: Vec<(Term, Place)>, place: Place) -> ProcId {
        let at = Some(place);
        let name = self.fresh_name("$start");
        let mut frame = Frame::new(name, at);
        let first = frame.here();
        let mut parameters = Vec::new();
        if let Some(refused) = self.refused_axioms.first().cloned() {
            self.unsupported(&mut frame, refused);
        } else {
            let called = self.program.procedures[entry.0 as usize].clone();
            for parameter in &called.parameters {
                let wanted = parameter.user_name.map_or("argument", |name| name.as_str());
                let term = Term::var(frame.local_name(wanted), parameter.sort());
                parameters.push(ir::Variable { term, ..parameter.clone() });
            }
            let results = called.results.iter().map(|r| frame.internal("result", r.sort())).collect();
            if !self.threads.initial.is_empty() {
                frame.step(Op::Assign(self.threads.initial.clone()), at);
            }
            for (condition, place) in conditions {
                frame.assume(condition, Some(place));
            }
            if self.is_cooperative() {
                frame.step(Op::AtomicBegin, at);
            }
            let arguments = parameters.iter().map(|p| p.term).collect();
            frame.step(Op::Call { procedure: entry, arguments, results }, at);
            if self.is_cooperative() {
                frame.step(Op::AtomicEnd, at);
            }
            if self.threads.is_used && self.may_end_in_atomic() {
                let span = self.unit.procedure(self.entry).span;
                let what = "a first thread that ends in an atomic section".to_string();
                self.unsupported(&mut frame, Refused { what, span });
            } else if !self.threads.is_used {
                let last = frame.here();
                frame.edge(last, Op::skip(), EXIT, at);
            }
        }
        let (locals, body) = frame.finish(Vec::new(), first, at);
        let number = ProcId(self.program.procedures.len() as u32);
        self.program.procedures.push(ir::Procedure {
            name,
            parameters,
            variadic: false,
            results: Vec::new(),
            locals,
            body: Ok(body),
            place: at,
        });
        number
    }
}
