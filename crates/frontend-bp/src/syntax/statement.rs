//! Statements.

use super::ast::{Call, Name, Start, Statement, StatementKind};
use super::deep;
use super::lexer::Word;
use super::parser::{Parsed, Parser};
use source::Diagnostic;

impl Parser<'_> {
    /// Statements until one of the words that end a block. `;` separates them; behind `fi` and `od` it may be missing.
    pub fn block(&mut self, ends: &[&str]) -> Parsed<Vec<Statement>> {
        let mut statements = Vec::new();
        loop {
            while self.accept(";") {}
            if ends.iter().any(|end| self.is(end)) {
                return Ok(statements);
            }
            let statement = deep(|| self.statement(ends))?;
            let is_block = matches!(statement.kind, StatementKind::If { .. } | StatementKind::While(..));
            statements.push(statement);
            if !is_block && !self.is(";") && !ends.iter().any(|end| self.is(end)) {
                return Err(self.unexpected("`;`"));
            }
        }
    }

    fn statement(&mut self, ends: &[&str]) -> Parsed<Statement> {
        let start = self.peek().span;
        let mut labels = Vec::new();
        while self.peek().word == Word::Name && matches!(self.ahead(1).word, Word::Fixed(":")) {
            labels.push(self.name("a label")?);
            self.expect(":")?;
        }
        let is_bare = self.is(";") || ends.iter().any(|end| self.is(end));
        let kind = if is_bare && !labels.is_empty() { StatementKind::Skip } else { self.kind()? };
        let kind = match kind {
            StatementKind::Call(call) if labels.iter().any(|label| label.text.as_str().starts_with("ASYNC_")) => {
                StatementKind::Start(Start::Call(call))
            }
            kind => kind,
        };
        Ok(Statement { labels, span: start.to(self.before()), kind })
    }

    fn kind(&mut self) -> Parsed<StatementKind> {
        let token = self.peek();
        let Word::Fixed(word) = token.word else { return self.assignment_or_call() };
        match word {
            "decl" | "thread_local" => {
                let (declared, thread_local) = self.declaration()?;
                if thread_local {
                    let message =
                        "only a global variable can be thread_local: a thread has its own local variables anyway";
                    return Err(Diagnostic::error(token.span, message));
                }
                return Ok(StatementKind::Declare(declared));
            }
            "skip" | "assume" | "assert" | "abortif" | "enforce" | "goto" | "return" | "if" | "while" | "dead"
            | "start_thread" | "end_thread" | "atomic_begin" | "atomic_end" | "sync" => {}
            _ => return Err(self.unexpected("a statement")),
        }
        self.advance();
        Ok(match word {
            "skip" => StatementKind::Skip,
            "assume" => StatementKind::Assume(self.expression()?),
            "assert" => StatementKind::Assert(self.expression()?),
            "abortif" => StatementKind::AbortIf(self.expression()?),
            "enforce" => StatementKind::Enforce(self.expression()?),
            "goto" => StatementKind::Goto(self.list(|parser| parser.name("a label"))?),
            "return" => {
                let is_bare = matches!(self.peek().word, Word::Fixed(";" | "end" | "fi" | "else" | "elsif" | "od"));
                StatementKind::Return(if is_bare { Vec::new() } else { self.list(Parser::expression)? })
            }
            "if" => self.conditional()?,
            "while" => {
                let condition = self.expression()?;
                self.expect("do")?;
                let body = self.block(&["od"])?;
                self.expect("od")?;
                StatementKind::While(condition, body)
            }
            "dead" => StatementKind::Dead(self.list(|parser| parser.name("the name of a variable"))?),
            "start_thread" => StatementKind::Start(self.start()?),
            "end_thread" => StatementKind::EndThread,
            "atomic_begin" => StatementKind::AtomicBegin,
            "atomic_end" => StatementKind::AtomicEnd,
            _ => StatementKind::Sync(self.name("the name of an event")?),
        })
    }

    fn conditional(&mut self) -> Parsed<StatementKind> {
        let mut branches = Vec::new();
        let mut otherwise = Vec::new();
        loop {
            let condition = self.expression()?;
            self.expect("then")?;
            branches.push((condition, self.block(&["elsif", "else", "fi"])?));
            if self.accept("elsif") {
                continue;
            }
            if self.accept("else") {
                otherwise = self.block(&["fi"])?;
            }
            self.expect("fi")?;
            return Ok(StatementKind::If { branches, otherwise });
        }
    }

    fn start(&mut self) -> Parsed<Start> {
        if self.accept("goto") {
            return Ok(Start::Goto(self.name("a label")?));
        }
        let callee = self.name("a call or `goto` that the new thread begins with")?;
        Ok(Start::Call(self.call(Vec::new(), callee)?))
    }

    fn call(&mut self, targets: Vec<Name>, callee: Name) -> Parsed<Call> {
        self.expect("(")?;
        let arguments = if self.is(")") { Vec::new() } else { self.list(Parser::expression)? };
        self.expect(")")?;
        Ok(Call { targets, callee, arguments })
    }

    fn assignment_or_call(&mut self) -> Parsed<StatementKind> {
        if self.peek().word != Word::Name {
            return Err(self.unexpected("a statement"));
        }
        let targets = self.list(|parser| parser.name("the name of a variable"))?;
        if self.is("(") && targets.len() == 1 {
            return Ok(StatementKind::Call(self.call(Vec::new(), targets[0])?));
        }
        if !self.is(":=") {
            return Err(self.unexpected(if targets.len() == 1 { "`:=` or `(`" } else { "`:=`" }));
        }
        self.advance();
        if self.peek().word == Word::Name && matches!(self.ahead(1).word, Word::Fixed("(")) {
            let callee = self.name("the name of a function")?;
            return Ok(StatementKind::Call(self.call(targets, callee)?));
        }
        let values = self.list(Parser::expression)?;
        let constraint = if self.accept("constrain") { Some(self.expression()?) } else { None };
        Ok(StatementKind::Assign { targets, values, constraint })
    }
}
