//! Calls, returns, and procedures without a body.

use super::arrays::Boxed;
use super::code::{Body, CallSite, Code, Operand};
use super::host::Reader;
use super::layout::variables;
use super::machine::{Activation, Content, Machine};
use super::outcome::{Limit, Trap};
use crate::ProcId;
use term::Value;

impl Machine<'_> {
    /// Enters the callee of a call site.
    pub fn enter(&mut self, code: &Code, site: u32, body: &Body) -> Result<(), Trap> {
        let CallSite { callee, arguments, boxes, exit, .. } = &code.calls[site as usize];
        let caller = self.body(code)?.frame;
        let Some(frame) = self.thread().frames.last().copied() else {
            return Err(Trap::Internal("no procedure is running".into()));
        };
        let depth = self.thread().frames.len();
        if depth >= self.limits.call_depth {
            return Err(Trap::Limit(Limit::CallDepth));
        }
        self.statistics.calls += 1;
        self.statistics.deepest_stack = self.statistics.deepest_stack.max(depth + 1);
        let activation = Activation {
            procedure: *callee,
            base: frame.base + caller.slots as usize,
            box_base: frame.box_base + caller.boxes as usize,
            return_to: exit.to,
            site,
        };
        self.reserve(activation.base + body.frame.slots as usize, activation.box_base + body.frame.boxes as usize)?;
        self.find_frame();
        let old = (self.base, self.box_base);
        let new = (old.0 + caller.slots as usize, old.1 + caller.boxes as usize);
        self.clear_variables(body, new);
        for (argument, parameter) in arguments.iter().zip(&body.parameters) {
            (self.base, self.box_base) = old;
            let content = self.content(*argument);
            (self.base, self.box_base) = new;
            self.put(parameter.home, content)?;
        }
        for a in boxes {
            self.boxes[a.index(old.1)] = Boxed::Empty;
        }
        self.thread_mut().frames.push(activation);
        self.find_frame();
        self.pc = body.entry;
        self.choose_locals(code, body)
    }

    /// Empties the variables of a frame.
    fn clear_variables(&mut self, body: &Body, (base, box_base): (usize, usize)) {
        self.regs[base..base + body.variables.slots as usize].fill(0);
        self.boxes[box_base..box_base + body.variables.boxes as usize].fill(Boxed::Empty);
    }

    /// Gives arbitrary values to the local variables that need them.
    fn choose_locals(&mut self, code: &Code, body: &Body) -> Result<(), Trap> {
        if body.arbitrary.is_empty() {
            return Ok(());
        }
        let at = self.at(code, self.pc);
        let program = self.program;
        let declared: Vec<_> = variables(program.procedure(at.procedure)).collect();
        for (number, home) in &body.arbitrary {
            let content = self.initial(declared[*number], &at)?;
            self.put(*home, content)?;
        }
        Ok(())
    }

    /// Starts a thread's first procedure. It becomes the running thread; `self.pc` is where it starts.
    pub fn start(&mut self, code: &Code, procedure: ProcId, body: &Body, arguments: Vec<Content>) -> Result<(), Trap> {
        self.reserve(body.frame.slots as usize, body.frame.boxes as usize)?;
        let activation = Activation { procedure, base: 0, box_base: 0, return_to: 0, site: 0 };
        self.thread_mut().frames.push(activation);
        self.find_frame();
        self.clear_variables(body, (self.base, self.box_base));
        for (argument, parameter) in arguments.into_iter().zip(&body.parameters) {
            self.put(parameter.home, argument)?;
        }
        self.pc = body.entry;
        self.choose_locals(code, body)
    }

    /// Returns to the caller.
    pub fn leave<const OBSERVED: bool>(&mut self, code: &Code) -> Result<(), Trap> {
        let body = self.body(code)?;
        let callee = (self.base, self.box_base);
        let Some(left) = self.thread_mut().frames.pop() else {
            return Err(Trap::Internal("no procedure is running".into()));
        };
        self.find_frame();
        let caller = (self.base, self.box_base);
        let site = &code.calls[left.site as usize];
        for (result, target) in body.results.iter().zip(&site.results) {
            (self.base, self.box_base) = callee;
            let content = self.content(*result);
            (self.base, self.box_base) = caller;
            self.put(target.home, content)?;
        }
        self.boxes[callee.1..callee.1 + body.frame.boxes as usize].fill(Boxed::Empty);
        self.pc = left.return_to;
        if OBSERVED {
            self.observe_leave(code, left.procedure);
        }
        Ok(())
    }

    /// Calls a procedure without a body.
    pub fn call_host(&mut self, code: &Code, site: &CallSite) -> Result<(), Trap> {
        self.statistics.calls += 1;
        let program = self.program;
        let procedure = program.procedure(site.callee);
        let arguments: Option<Vec<Value>> = match self.host.implements(procedure) {
            true => site.arguments.iter().map(|argument| self.value(*argument)).collect(),
            false => None,
        };
        let results: Vec<Content> = match arguments {
            Some(arguments) => {
                let mut reader =
                    Reader { memory: &mut self.memory, facts: &mut self.facts, boxes: &self.boxes, program };
                let results = self.host.call(procedure, &arguments, &mut reader)?;
                let sorts = procedure.results.iter().map(|result| result.sort());
                if !results.iter().map(Value::sort).eq(sorts) {
                    return Err(Trap::Internal(format!("the host gives wrong results of {}", procedure.name)));
                }
                results.into_iter().map(Content::new).collect()
            }
            None => {
                let at = self.at(code, self.pc);
                procedure.results.iter().map(|r| self.result(site.callee, r, &at)).collect::<Result<_, _>>()?
            }
        };
        for (Operand { home, .. }, content) in site.results.iter().zip(results) {
            self.put(*home, content)?;
        }
        for a in &site.boxes {
            self.boxes[a.index(self.box_base)] = Boxed::Empty;
        }
        Ok(())
    }
}
