//! Threads: starting and ending them, and switching between them.

use super::arrays::Boxed;
use super::code::{Body, CallSite, Code, Operand};
use super::machine::{Content, Machine, Segment, Thread};
use super::outcome::{Limit, Trap};
use term::{Op, SortKind, Value};

impl Machine<'_> {
    /// Adds a thread that has no frame yet.
    pub fn add_thread(&mut self) -> usize {
        let fresh = || (Segment::at_end(&self.regs), Segment::at_end(&self.boxes));
        let (slots, boxes) = self.vacant_segments.pop().unwrap_or_else(fresh);
        let id = self.threads_started;
        self.threads_started += 1;
        self.statistics.threads += 1;
        self.threads.push(Thread { id, pc: 0, frames: Vec::new(), atomic: 0, slots, boxes, local: Vec::new() });
        self.threads.len() - 1
    }

    /// Starts a thread; without a body, it ends at once.
    pub fn spawn(&mut self, code: &Code, site: &CallSite, body: Option<&Body>) -> Result<(), Trap> {
        if self.threads.len() >= self.limits.threads {
            return Err(Trap::Limit(Limit::Threads));
        }
        let arguments: Vec<Content> = site.arguments.iter().map(|argument| self.content(*argument)).collect();
        for a in &site.boxes {
            self.boxes[a.index(self.box_base)] = Boxed::Empty;
        }
        let number = self.threads_started;
        if let Some(body) = body {
            let (parent, pc) = (self.current, self.pc);
            let new = self.add_thread();
            self.switch_to(new)?;
            self.start(code, site.callee, body, arguments)?;
            self.choose_thread_locals(code, body)?;
            self.thread_mut().pc = self.pc;
            self.switch_to(parent)?;
            self.pc = pc;
            // From now on there is a choice after each edge.
            self.checkpoint = 0;
        } else {
            self.threads_started += 1;
            self.statistics.threads += 1;
        }
        for Operand { home, sort } in &site.results {
            let wide = Value::bv(32, number.into());
            let value = match sort.kind() {
                SortKind::BitVec(width) => Some(Value::bv(*width, number.into())),
                _ => term::eval::apply(&Op::BvToInt { signed: false }, &[wide]),
            };
            self.put_value(*home, value.ok_or_else(|| Trap::Internal("a thread's number".into()))?)?;
        }
        Ok(())
    }

    /// Gives arbitrary values to the running thread's own copies of globals, where its first procedure needs them.
    fn choose_thread_locals(&mut self, code: &Code, body: &Body) -> Result<(), Trap> {
        let at = self.at(code, self.pc);
        let (program, layout) = (self.program, self.layout);
        for (number, home) in &layout.thread_local {
            let global = &program.globals[*number];
            let content = match body.globals_read_first.contains(&global.term) {
                true => self.initial(global, &at)?,
                false => self.placeholder(global.sort()),
            };
            self.put(*home, content)?;
        }
        Ok(())
    }

    /// Makes another thread the running one. The caller sees to `pc`.
    pub fn switch_to(&mut self, thread: usize) -> Result<(), Trap> {
        let layout = self.layout;
        if thread != self.current {
            let globals = &self.program.globals;
            let own = |(number, home): &(usize, _)| Operand { home: *home, sort: globals[*number].sort() };
            let local = layout.thread_local.iter().map(|global| self.content(own(global))).collect();
            self.threads[self.current].local = local;
            self.current = thread;
            let local = std::mem::take(&mut self.threads[thread].local);
            for ((_, home), content) in layout.thread_local.iter().zip(local) {
                self.put(*home, content)?;
            }
        }
        self.find_frame();
        Ok(())
    }

    /// Removes a thread that has ended. It must not be the running one.
    pub fn remove_thread(&mut self, thread: usize) {
        let ended = self.threads.remove(thread);
        ended.boxes.clear(&mut self.boxes);
        self.vacant_segments.push((ended.slots, ended.boxes));
        if self.current > thread {
            self.current -= 1;
        }
    }

    pub fn leave_atomic(&mut self) {
        let thread = &mut self.threads[self.current];
        thread.atomic = thread.atomic.saturating_sub(1);
        if thread.atomic == 0 && self.threads.len() > 1 {
            self.checkpoint = 0;
        }
    }
}
