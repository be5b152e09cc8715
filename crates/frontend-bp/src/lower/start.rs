//! How the program and its threads start.

use super::body::Body;
use super::expr::Choices;
use super::{Code, Lowering, empty, tidy};
use ir::{CfaBuilder, Op, ProcId, Procedure, Variable};
use source::Symbol;
use term::{Sort, Term};

impl<'a> Lowering<'a> {
    /// A procedure that gives globals their first values and calls the entry. With threads, it does not return.
    pub fn start_of(&mut self, entry: usize) -> ProcId {
        let procedure = self.wrapper(entry, Symbol::new("$start"), false, self.has_threads);
        self.program.procedures.push(procedure);
        ProcId(self.program.procedures.len() as u32 - 1)
    }

    /// What a thread does that begins with a function, in a program where threads have globals of their own.
    pub fn thread_of(&mut self, index: usize, name: Symbol) -> Procedure {
        self.wrapper(index, name, true, false)
    }

    fn wrapper(&mut self, index: usize, name: Symbol, is_thread: bool, is_endless: bool) -> Procedure {
        let function = self.function(index);
        let place = self.place(function.name.span);
        let mut body = Body::new(index, name, place);
        let mut procedure = empty(name, place);
        for number in 0..function.parameters.len() {
            let parameter = Variable::internal(format!("{name}::$argument{number}").as_str(), Sort::bool());
            procedure.parameters.push(parameter);
        }
        for global in &self.unit.globals {
            if is_thread && !global.thread_local {
                continue;
            }
            let at = self.place(global.declared.name.span);
            let Some(variable) = self.globals.get(&global.declared.name.text).copied() else { continue };
            body.next_statement();
            match &global.declared.value {
                Some(value) => {
                    let mut choices = Choices::default();
                    let value = self.term(&mut body, value, &mut choices, None);
                    body.havoc(choices.0, at);
                    body.step(Op::Assign(vec![(variable, value)]), at);
                }
                None if is_thread => body.havoc(vec![variable], at),
                None => {}
            }
        }
        let arguments: Vec<Term> = procedure.parameters.iter().map(|parameter| parameter.term).collect();
        let results = (0..function.results).map(|number| Self::unwanted(&mut body, number)).collect();
        let called = self.procedure(Code::Function(index));
        body.step(Op::Call { procedure: called, arguments, results }, place);
        if !is_endless {
            body.jump(CfaBuilder::EXIT, place);
        }
        procedure.locals = body.locals;
        procedure.body = Ok(tidy::tidy(body.builder.finish()));
        procedure
    }
}
