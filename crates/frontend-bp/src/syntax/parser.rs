//! Words to declarations and functions. The parser stops at the first word that does not fit.

use super::ast::{Declared, Expr, ExprKind, Function, Global, Name, Unit};
use super::lexer::{Token, Word};
use source::{Diagnostic, Span};

pub type Parsed<T> = Result<T, Diagnostic>;

pub struct Parser<'a> {
    tokens: &'a [Token],
    at: usize,
}

impl<'a> Parser<'a> {
    pub fn new(tokens: &'a [Token]) -> Parser<'a> {
        Parser { tokens, at: 0 }
    }

    pub fn peek(&self) -> Token {
        self.ahead(0)
    }

    /// The word that comes so many words later; the end, if there are not so many.
    pub fn ahead(&self, distance: usize) -> Token {
        self.tokens[(self.at + distance).min(self.tokens.len() - 1)]
    }

    pub fn advance(&mut self) -> Token {
        let token = self.peek();
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        token
    }

    /// Where the last word was.
    pub fn before(&self) -> Span {
        self.tokens[self.at.saturating_sub(1)].span
    }

    pub fn is(&self, fixed: &str) -> bool {
        matches!(self.peek().word, Word::Fixed(word) if word == fixed)
    }

    pub fn accept(&mut self, fixed: &str) -> bool {
        let is = self.is(fixed);
        if is {
            self.advance();
        }
        is
    }

    pub fn expect(&mut self, fixed: &str) -> Parsed<Span> {
        if self.is(fixed) { Ok(self.advance().span) } else { Err(self.unexpected(&format!("`{fixed}`"))) }
    }

    pub fn unexpected(&self, expected: &str) -> Diagnostic {
        let token = self.peek();
        let found = match token.word {
            Word::End => "the end of the text".to_string(),
            _ => format!("`{}`", token.text),
        };
        Diagnostic::error(token.span, format!("expected {expected}, found {found}"))
    }

    pub fn name(&mut self, what: &str) -> Parsed<Name> {
        match self.peek().word {
            Word::Name => {
                let Token { text, span, .. } = self.advance();
                Ok(Name { text, span })
            }
            _ => Err(self.unexpected(what)),
        }
    }

    /// Things with commas between them, at least one.
    pub fn list<T>(&mut self, mut one: impl FnMut(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        let mut all = vec![one(self)?];
        while self.accept(",") {
            all.push(one(self)?);
        }
        Ok(all)
    }

    pub fn unit(&mut self) -> Parsed<Unit> {
        let mut unit = Unit::default();
        while self.peek().word != Word::End {
            if self.is("decl") || self.is("thread_local") {
                let (declared, thread_local) = self.declaration()?;
                unit.globals.extend(declared.into_iter().map(|declared| Global { declared, thread_local }));
                self.expect(";")?;
            } else {
                unit.functions.push(self.function()?);
            }
        }
        Ok(unit)
    }

    /// `decl a, b := T, c;`, and whether it says `thread_local`.
    pub fn declaration(&mut self) -> Parsed<(Vec<Declared>, bool)> {
        let mut thread_local = self.accept("thread_local");
        self.expect("decl")?;
        thread_local |= self.accept("thread_local");
        let mut declared: Vec<Declared> = Vec::new();
        loop {
            let name = self.name("the name of a variable")?;
            declared.push(Declared { name, value: None });
            if self.accept(":=") {
                self.values(&mut declared)?;
            }
            if !self.accept(",") {
                return Ok((declared, thread_local));
            }
        }
    }

    /// The values behind `:=`: one for the last name, or as many as there are names without a value before it.
    fn values(&mut self, declared: &mut [Declared]) -> Parsed<()> {
        let first = declared.iter().rposition(|d| d.value.is_some()).map_or(0, |last| last + 1);
        let waiting = &mut declared[first..];
        let mut values = vec![self.expression()?];
        // `a := T, b` declares another variable; `a, b := T, F` has a second value.
        while values.len() < waiting.len() && self.is(",") {
            let is_name = self.ahead(1).word == Word::Name;
            if is_name && matches!(self.ahead(2).word, Word::Fixed(":=")) {
                break;
            }
            self.advance();
            values.push(self.expression()?);
        }
        match values.len() {
            1 => waiting[waiting.len() - 1].value = values.pop(),
            n if n == waiting.len() => waiting.iter_mut().zip(values).for_each(|(d, value)| d.value = Some(value)),
            n => {
                let message = format!("expected {} values, found {n}", waiting.len());
                return Err(Diagnostic::error(self.before(), message));
            }
        }
        Ok(())
    }

    fn function(&mut self) -> Parsed<Function> {
        self.accept("dfs");
        let results = if self.accept("void") {
            0
        } else if self.accept("bool") {
            if self.accept("<") { self.width()? } else { 1 }
        } else if self.peek().word == Word::Name {
            0
        } else {
            return Err(self.unexpected("a declaration or a function"));
        };
        let name = self.name("the name of a function")?;
        self.expect("(")?;
        let parameters =
            if self.is(")") { Vec::new() } else { self.list(|parser| parser.name("the name of a parameter"))? };
        self.expect(")")?;
        self.expect("begin")?;
        let body = self.block(&["end"])?;
        let end = self.expect("end")?;
        Ok(Function { name, results, parameters, body, end })
    }

    /// The number in `bool<2>`.
    fn width(&mut self) -> Parsed<usize> {
        const MOST: usize = 10_000;
        let token = self.peek();
        let width = token.text.as_str().parse().ok().filter(|width| token.word == Word::Number && *width <= MOST);
        let Some(width) = width else { return Err(self.unexpected("a number of results")) };
        self.advance();
        self.expect(">")?;
        Ok(width)
    }

    /// What `T`, `F`, `1` and `0` mean.
    pub fn constant(&mut self) -> Option<Expr> {
        let token = self.peek();
        let value = match (token.word, token.text.as_str()) {
            (Word::Fixed("T" | "true"), _) | (Word::Number, "1") => true,
            (Word::Fixed("F" | "false"), _) | (Word::Number, "0") => false,
            _ => return None,
        };
        self.advance();
        Some(Expr { span: token.span, kind: ExprKind::Constant(value) })
    }
}
