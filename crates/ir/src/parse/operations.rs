//! Operations.
//!
//! Keywords are keywords only where they can be: a word before `:=` or a comma is a variable, whatever its name, and
//! `call` or `spawn` is a variable's value unless the name of a procedure follows.

use super::cursor::{Name, Parsed};
use super::declarations::Parser;
use crate::Op;
use term::Term;

impl<'a> Parser<'a> {
    pub(super) fn op(&mut self) -> Parsed<Op> {
        let name = self.cursor.name("an operation")?;
        if self.cursor.looking_at(":=") || self.cursor.looking_at(",") {
            return self.assignment(&name);
        }
        if name.is("skip") {
            return Ok(Op::skip());
        }
        if name.is("assume") {
            return self.cursor.term(&self.scope).map(Op::Assume);
        }
        if name.is("havoc") {
            let mut variables = Vec::new();
            while self.cursor.looking_at_name() {
                variables.push(self.target()?);
                if !self.cursor.eat(",") {
                    return Ok(Op::Havoc(variables));
                }
            }
            return if variables.is_empty() {
                Ok(Op::Havoc(variables))
            } else {
                Err(self.cursor.expected("a variable"))
            };
        }
        if name.is("call") {
            return self.call(Vec::new());
        }
        if name.is("atomic") && self.cursor.eat_word("begin") {
            return Ok(Op::AtomicBegin);
        }
        if name.is("atomic") && self.cursor.eat_word("end") {
            return Ok(Op::AtomicEnd);
        }
        Err(self.cursor.expected(if name.is("atomic") { "`begin` or `end`" } else { "`:=`" }))
    }

    /// An assignment, call or spawn after its first variable.
    fn assignment(&mut self, first: &Name<'a>) -> Parsed<Op> {
        let mut targets = vec![self.named_target(first)?];
        while self.cursor.eat(",") {
            targets.push(self.target()?);
        }
        self.cursor.expect(":=")?;
        if self.eat_before_name("call") {
            return self.call(targets);
        }
        let &[thread] = &targets[..] else {
            return Err(self.cursor.expected("`call`"));
        };
        if self.eat_before_name("spawn") {
            let procedure = self.callee()?;
            return Ok(Op::Spawn { procedure, arguments: self.arguments()?, thread });
        }
        let mut pairs = vec![(thread, self.cursor.term(&self.scope)?)];
        while self.cursor.eat(",") {
            let variable = self.target()?;
            self.cursor.expect(":=")?;
            pairs.push((variable, self.cursor.term(&self.scope)?));
        }
        Ok(Op::Assign(pairs))
    }

    fn call(&mut self, results: Vec<Term>) -> Parsed<Op> {
        let procedure = self.callee()?;
        Ok(Op::Call { procedure, arguments: self.arguments()?, results })
    }

    fn arguments(&mut self) -> Parsed<Vec<Term>> {
        let mut arguments = Vec::new();
        self.list(|parser| {
            arguments.push(parser.cursor.term(&parser.scope)?);
            Ok(())
        })?;
        Ok(arguments)
    }

    /// Takes the word if it and then a name come next.
    fn eat_before_name(&mut self, word: &str) -> bool {
        self.cursor.peek();
        let start = self.cursor.position();
        if self.cursor.eat_word(word) && self.cursor.looking_at_name() {
            return true;
        }
        self.cursor.jump(start);
        false
    }

    fn target(&mut self) -> Parsed<Term> {
        let name = self.cursor.name("a variable")?;
        self.named_target(&name)
    }

    fn named_target(&mut self, name: &Name<'a>) -> Parsed<Term> {
        let known = self.scope.find(name.symbol());
        known.ok_or_else(|| self.cursor.failure(name.start, format!("unknown variable {}", name.text)))
    }
}
