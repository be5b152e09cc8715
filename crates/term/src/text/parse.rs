//! The parser's upper half: terms. It keeps its own stack, so that no text nests too deep for it.

use super::Scope;
use super::names::{is_reserved, plain_op, rounded_op, rounding};
use super::read::{MAX_DEPTH, ParseError, Reader, Result, Word};
use crate::free::Free;
use crate::{Function, Op, Rounding, Sort, Term};
use rustc_hash::FxHashMap;
use source::Symbol;
use std::borrow::Cow;

/// Parses one term that starts at byte `at` (after blanks and comments); gives it and the position after it.
pub fn parse(input: &str, at: usize, scope: &dyn Scope) -> Result<(Term, usize)> {
    let mut parser = Parser {
        reader: Reader::new(input, at)?,
        scope,
        stack: Vec::new(),
        lets: FxHashMap::default(),
        bound: Vec::new(),
        free: Free::new(),
    };
    let term = parser.term()?;
    Ok((term, parser.reader.at))
}

/// Parses a text that is one term and nothing else.
pub fn parse_closed(input: &str, scope: &dyn Scope) -> Result<Term> {
    let (term, end) = parse(input, 0, scope)?;
    let mut rest = Reader::new(input, end)?;
    if rest.peek().is_some() { rest.expected("nothing more") } else { Ok(term) }
}

/// What is applied to arguments, once they are all there.
enum Head {
    Op(Op),
    /// `-`, of one argument or two.
    Minus,
    /// By so many bits.
    ZeroExtend(u32),
    SignExtend(u32),
    /// A function that the scope knows.
    Named(Symbol),
}

/// What a term is a part of.
enum Frame<'a> {
    Apply {
        at: usize,
        head: Head,
        args: Vec<Term>,
    },
    /// The term that a name stands for, after those of the same `let` before it.
    Definition {
        names: Vec<Word<'a>>,
        terms: Vec<Term>,
    },
    /// What the names are defined in.
    Body {
        names: Vec<Word<'a>>,
    },
    /// A binder's body or trigger.
    Binder {
        at: usize,
        op: fn(Vec<Term>) -> Op,
        variables: Vec<Term>,
        annotated: bool,
        args: Vec<Term>,
    },
}

/// What the parser does next.
enum Step {
    /// A term is expected.
    Expect,
    /// A term was read.
    Done(Term),
}

/// What the name of a shared part stands for.
struct Shared {
    term: Term,
    /// The number of variables that were bound where it was defined.
    bound: usize,
}

struct Parser<'a, 's> {
    reader: Reader<'a>,
    scope: &'s dyn Scope,
    stack: Vec<Frame<'a>>,
    /// What each name of a shared part stands for, innermost last.
    lets: FxHashMap<Cow<'a, str>, Vec<Shared>>,
    /// Bound variables, innermost last.
    bound: Vec<Term>,
    free: Free,
}

impl<'a> Parser<'a, '_> {
    fn term(&mut self) -> Result<Term> {
        let mut step = Step::Expect;
        loop {
            step = match step {
                Step::Expect => self.start()?,
                Step::Done(term) => match self.stack.pop() {
                    Some(frame) => self.resume(frame, term)?,
                    None => return Ok(term),
                },
            };
        }
    }

    /// Reads an atom, or the head of a compound term.
    fn start(&mut self) -> Result<Step> {
        match self.reader.peek() {
            Some('#') => self.constant(),
            Some('(') => {
                self.reader.at += 1;
                self.compound()
            }
            _ if self.reader.at_number() => self.constant(),
            _ => {
                let at = self.reader.at;
                let word = self.reader.expect_word("a term")?;
                self.atom(at, word).map(Step::Done)
            }
        }
    }

    fn constant(&mut self) -> Result<Step> {
        let at = self.reader.at;
        let value = self.reader.value()?;
        self.node(at, Op::Const(value), &[])
    }

    fn node(&self, at: usize, op: Op, args: &[Term]) -> Result<Step> {
        match Term::try_new(op, args) {
            Ok(term) => Ok(Step::Done(term)),
            Err(error) => Err(ParseError { offset: at, message: error.message }),
        }
    }

    /// A word that is a term by itself.
    fn atom(&mut self, at: usize, word: Word<'a>) -> Result<Term> {
        if word.is("true") || word.is("false") {
            return Ok(crate::build::bool(word.is("true")));
        }
        if !word.quoted && word.text.starts_with('?') {
            return self.shared(at, &word.text);
        }
        self.refuse_reserved(at, &word)?;
        let instance = self.reader.instance()?;
        let name = word.symbol();
        let is_this =
            |v: &&Term| matches!(v.op(), Op::Var { name: n, instance: i, .. } if *n == name && *i == instance);
        if let Some(variable) = self.bound.iter().rev().find(is_this) {
            return Ok(*variable);
        }
        match self.scope.variable(name) {
            Some(sort) => Ok(variable(name, instance, sort)),
            None => self.reader.error(at, format!("unknown variable {name}")),
        }
    }

    /// What a name of a shared part stands for. It means what it meant where it was defined.
    fn shared(&mut self, at: usize, name: &str) -> Result<Term> {
        let Some(&Shared { term, bound }) = self.lets.get(name).and_then(|meanings| meanings.last()) else {
            return self.reader.error(at, format!("nothing is named {name}"));
        };
        let since = &self.bound[bound..];
        if !since.is_empty() && self.free.of(term).iter().any(|variable| since.contains(variable)) {
            return self.reader.error(at, format!("{name} mentions a variable that is bound anew here"));
        }
        Ok(term)
    }

    fn refuse_reserved(&self, at: usize, word: &Word<'a>) -> Result<()> {
        if !word.quoted && is_reserved(&word.text) {
            return self.reader.error(at, format!("expected a term, found {} (as a name, write it |{0}|)", word.text));
        }
        Ok(())
    }

    /// What follows an opening parenthesis.
    fn compound(&mut self) -> Result<Step> {
        self.reader.peek();
        let at = self.reader.at;
        if self.reader.take('(') {
            let head = self.head()?;
            self.reader.expect(')')?;
            return self.arguments(at, head, Vec::new());
        }
        let word = self.reader.expect_word("an operator")?;
        if word.quoted {
            return self.arguments(at, Head::Named(word.symbol()), Vec::new());
        }
        match &*word.text {
            "_" => {
                let value = self.reader.indexed_value(MAX_DEPTH)?;
                self.node(at, Op::Const(value), &[])
            }
            "as" => {
                let name = self.reader.expect_word("a variable")?;
                let instance = self.reader.instance()?;
                let sort = self.reader.sort()?;
                self.reader.expect(')')?;
                Ok(Step::Done(variable(name.symbol(), instance, sort)))
            }
            "let" => {
                self.reader.expect('(')?;
                self.definition(Vec::new(), Vec::new())
            }
            "forall" => self.binder(at, Op::Forall),
            "exists" => self.binder(at, Op::Exists),
            "lambda" => self.binder(at, Op::Lambda),
            "-" => self.arguments(at, Head::Minus, Vec::new()),
            name => match plain_op(name) {
                Some(op) => self.arguments(at, Head::Op(op.clone()), Vec::new()),
                None => {
                    self.refuse_reserved(at, &word)?;
                    self.arguments(at, Head::Named(word.symbol()), Vec::new())
                }
            },
        }
    }

    /// Reads the next argument, or applies the head to those there are.
    fn arguments(&mut self, at: usize, head: Head, args: Vec<Term>) -> Result<Step> {
        if !self.reader.take(')') {
            self.stack.push(Frame::Apply { at, head, args });
            return Ok(Step::Expect);
        }
        let extended = |by: u32| {
            let width = args.first().and_then(|a| a.sort().bv_width()).unwrap_or_default();
            width.saturating_add(by)
        };
        let op = match head {
            Head::Op(op) => op,
            Head::Minus if args.len() == 1 => Op::Neg,
            Head::Minus => Op::Sub,
            Head::ZeroExtend(by) => Op::ZeroExtend(extended(by)),
            Head::SignExtend(by) => Op::SignExtend(extended(by)),
            Head::Named(name) => {
                let sorts: Vec<Sort> = args.iter().map(|a| a.sort()).collect();
                match self.scope.function(name, &sorts) {
                    Some(function) => Op::Apply(function),
                    None => {
                        let sorts: Vec<String> = sorts.iter().map(Sort::to_string).collect();
                        return self.reader.error(at, format!("unknown function {name} of ({})", sorts.join(" ")));
                    }
                }
            }
        };
        self.node(at, op, &args)
    }

    /// An operator with indices, or a function with its signature.
    fn head(&mut self) -> Result<Head> {
        self.reader.peek();
        let at = self.reader.at;
        let word = self.reader.expect_word("'_' or 'as'")?;
        if word.is("as") {
            let name = self.reader.expect_word("a function")?;
            if name.is("const") {
                return self.reader.sort().map(|sort| Head::Op(Op::ConstArray(sort)));
            }
            self.reader.expect('(')?;
            let mut parameters = Vec::new();
            while !self.reader.take(')') {
                parameters.push(self.reader.sort()?);
            }
            let result = self.reader.sort()?;
            return Ok(Head::Op(Op::Apply(Function { name: name.symbol(), parameters, result })));
        }
        if !word.is("_") {
            return self.reader.error(at, "expected '_' or 'as'");
        }
        let reader = &mut self.reader;
        reader.peek();
        let at = reader.at;
        let name = reader.expect_word("an operator with indices")?;
        Ok(match &*name.text {
            "zero_extend" => Head::ZeroExtend(reader.index("a number of bits")?),
            "sign_extend" => Head::SignExtend(reader.index("a number of bits")?),
            "extract" => {
                let high = reader.index("a bit's number")?;
                Head::Op(Op::Extract { high, low: reader.index("a bit's number")? })
            }
            "int_to_bv" => Head::Op(Op::IntToBv(reader.width()?)),
            "fp.roundToIntegral" => Head::Op(Op::FpRoundToIntegral(self.rounding()?)),
            "fp.from_bits" => Head::Op(Op::FpFromBits(reader.format()?)),
            "load" => Head::Op(Op::Load(reader.sort()?)),
            "fp.to_fp" => {
                let format = reader.format()?;
                Head::Op(Op::FpToFp(format, self.rounding()?))
            }
            "real.to_fp" => {
                let format = reader.format()?;
                Head::Op(Op::RealToFp(format, self.rounding()?))
            }
            kind @ ("sbv.to_fp" | "ubv.to_fp") => {
                let format = reader.format()?;
                Head::Op(Op::BvToFp { format, signed: kind == "sbv.to_fp", rounding: self.rounding()? })
            }
            kind @ ("fp.to_sbv" | "fp.to_ubv") => {
                let width = reader.width()?;
                Head::Op(Op::FpToBv { width, signed: kind == "fp.to_sbv", rounding: self.rounding()? })
            }
            other => match rounded_op(other) {
                Some(rounded) => Head::Op(rounded(self.rounding()?)),
                None => return reader.error(at, format!("{other} is no operator with indices")),
            },
        })
    }

    fn rounding(&mut self) -> Result<Rounding> {
        self.reader.peek();
        let at = self.reader.at;
        let word = self.reader.expect_word("a rounding mode")?;
        match rounding(&word.text) {
            Some(rounding) => Ok(rounding),
            None => self.reader.error(at, "expected RNE, RNA, RTZ, RTP or RTN"),
        }
    }

    /// The next definition of a `let`, or its body if there is none.
    fn definition(&mut self, mut names: Vec<Word<'a>>, terms: Vec<Term>) -> Result<Step> {
        if self.reader.take(')') {
            let bound = self.bound.len();
            for (name, term) in names.iter().zip(terms) {
                self.lets.entry(name.text.clone()).or_default().push(Shared { term, bound });
            }
            self.stack.push(Frame::Body { names });
            return Ok(Step::Expect);
        }
        self.reader.expect('(')?;
        self.reader.peek();
        let at = self.reader.at;
        let name = self.reader.expect_word("a name that starts with '?'")?;
        if name.quoted || !name.text.starts_with('?') {
            return self.reader.error(at, "expected a name that starts with '?'");
        }
        names.push(name);
        self.stack.push(Frame::Definition { names, terms });
        Ok(Step::Expect)
    }

    fn binder(&mut self, at: usize, op: fn(Vec<Term>) -> Op) -> Result<Step> {
        self.reader.expect('(')?;
        let mut variables = Vec::new();
        while !self.reader.take(')') {
            self.reader.expect('(')?;
            self.reader.peek();
            let at = self.reader.at;
            let name = self.reader.expect_word("a variable")?;
            self.refuse_reserved(at, &name)?;
            let instance = self.reader.instance()?;
            let sort = self.reader.sort()?;
            variables.push(variable(name.symbol(), instance, sort));
            self.reader.expect(')')?;
        }
        self.bound.extend_from_slice(&variables);
        let before = self.reader.at;
        let annotated = self.reader.take('(') && self.reader.word()?.is_some_and(|word| word.is("!"));
        if !annotated {
            self.reader.at = before;
        }
        self.stack.push(Frame::Binder { at, op, variables, annotated, args: Vec::new() });
        Ok(Step::Expect)
    }

    /// Goes on with what the term was a part of.
    fn resume(&mut self, frame: Frame<'a>, term: Term) -> Result<Step> {
        match frame {
            Frame::Apply { at, head, mut args } => {
                args.push(term);
                self.arguments(at, head, args)
            }
            Frame::Definition { names, mut terms } => {
                terms.push(term);
                self.reader.expect(')')?;
                self.definition(names, terms)
            }
            Frame::Body { names } => {
                for name in names {
                    self.lets.get_mut(&name.text).and_then(Vec::pop);
                }
                self.reader.expect(')')?;
                Ok(Step::Done(term))
            }
            Frame::Binder { at, op, variables, annotated, mut args } => {
                args.push(term);
                if annotated && args.len() == 1 {
                    self.pattern()?;
                }
                if annotated && !self.reader.take(')') {
                    self.stack.push(Frame::Binder { at, op, variables, annotated, args });
                    return Ok(Step::Expect);
                }
                if annotated {
                    self.reader.expect(')')?;
                }
                self.reader.expect(')')?;
                self.bound.truncate(self.bound.len() - variables.len());
                self.node(at, op(variables), &args)
            }
        }
    }

    /// `:pattern (`
    fn pattern(&mut self) -> Result<()> {
        self.reader.expect(':')?;
        match self.reader.word()? {
            Some(word) if word.is("pattern") => self.reader.expect('('),
            _ => self.reader.expected("pattern"),
        }
    }
}

fn variable(name: Symbol, instance: u32, sort: Sort) -> Term {
    Term::new(Op::Var { name, instance, sort }, &[])
}
