//! The declarations of a program, and how the parser goes on after an error.

use super::MAX_ERRORS;
use super::body::Draft;
use super::cursor::{Cursor, Failure, Name, Parsed};
use super::scope::Declared;
use crate::{
    Assumption, AssumptionKind, DataModel, ObjectKind, ProcId, Program, Property, PropertyId, StaticObject, Variable,
};
use rustc_hash::FxHashMap;
use source::Symbol;
use term::{Function, Term};

/// The words that declarations start with.
pub(super) const KEYWORDS: [&str; 8] =
    ["program", "object", "global", "function", "axiom", "property", "assumption", "procedure"];

pub(super) struct Parser<'a> {
    pub cursor: Cursor<'a>,
    pub scope: Declared,
    failures: Vec<Failure>,
    data_model: DataModel,
    entry: Option<Callee>,
    globals: Vec<Variable>,
    objects: Vec<StaticObject>,
    functions: Vec<Function>,
    axioms: Vec<Term>,
    properties: Vec<Property>,
    property_names: FxHashMap<Symbol, PropertyId>,
    assumptions: Vec<Assumption>,
    drafts: Vec<Draft>,
    callees: Callees,
}

/// A procedure that was mentioned, by the order of first mentions. Its [`ProcId`] is known when all are read.
pub(super) type Callee = ProcId;

/// The procedures that were mentioned, with where they were mentioned first.
#[derive(Default)]
pub(super) struct Callees {
    numbers: FxHashMap<Symbol, Callee>,
    mentions: Vec<(Symbol, usize, usize)>,
}

impl Callees {
    fn mention(&mut self, name: &Name, end: usize) -> Callee {
        let symbol = name.symbol();
        let next = ProcId(self.mentions.len() as u32);
        *self.numbers.entry(symbol).or_insert_with(|| {
            self.mentions.push((symbol, name.start, end));
            next
        })
    }
}

impl<'a> Parser<'a> {
    pub(super) fn new(text: &'a str) -> Parser<'a> {
        Parser {
            cursor: Cursor::new(text),
            scope: Declared::default(),
            failures: Vec::new(),
            data_model: DataModel::Ilp32,
            entry: None,
            globals: Vec::new(),
            objects: Vec::new(),
            functions: Vec::new(),
            axioms: Vec::new(),
            properties: Vec::new(),
            property_names: FxHashMap::default(),
            assumptions: Vec::new(),
            drafts: Vec::new(),
            callees: Callees::default(),
        }
    }

    pub(super) fn program(mut self) -> Result<Program, Vec<Failure>> {
        if self.cursor.next_line() && self.cursor.eat_word("program") {
            let header = self.header();
            self.recover(header);
        }
        while self.going_on() && self.cursor.next_line() {
            let declaration = self.declaration();
            self.recover(declaration);
        }
        self.finish()
    }

    pub(super) fn fail(&mut self, failure: Failure) {
        self.failures.push(failure);
    }

    /// Whether there are not too many errors yet.
    pub(super) fn going_on(&self) -> bool {
        self.failures.len() < MAX_ERRORS
    }

    /// After an error, goes on at the next line that starts with the word of a declaration.
    fn recover(&mut self, result: Parsed<()>) {
        let Err(failure) = result else { return };
        self.fail(failure);
        loop {
            self.cursor.skip_line();
            if !self.cursor.next_line() || KEYWORDS.contains(&self.cursor.peek_word()) {
                return;
            }
        }
    }

    fn header(&mut self) -> Parsed<()> {
        self.cursor.file = Symbol::new(&self.cursor.string("the file's name between double quotes")?);
        self.data_model = match self.cursor.peek_word() {
            "ilp32" => DataModel::Ilp32,
            "lp64" => DataModel::Lp64,
            _ => return Err(self.cursor.expected("`ilp32` or `lp64`")),
        };
        let name = self.data_model.name();
        self.cursor.expect_word(name)?;
        if self.cursor.eat_word("entry") {
            self.entry = Some(self.callee()?);
        }
        self.cursor.end_of_line()
    }

    fn declaration(&mut self) -> Parsed<()> {
        let start = self.cursor.position();
        let word = self.cursor.peek_word();
        self.cursor.jump(start + word.len());
        match word {
            "object" => self.object()?,
            "global" => {
                let global = self.variable(true)?;
                self.globals.push(global);
            }
            "function" => self.function()?,
            "axiom" => {
                let axiom = self.cursor.term(&self.scope)?;
                self.axioms.push(axiom);
            }
            "property" => self.property()?,
            "assumption" => self.assumption()?,
            "procedure" => return self.procedure(),
            "program" => return Err(self.cursor.failure(start, "`program` comes first, and once".to_string())),
            _ => {
                self.cursor.jump(start);
                let words = KEYWORDS[1..].iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ");
                return Err(self.cursor.expected(&format!("a declaration ({words})")));
            }
        }
        self.cursor.end_of_line()
    }

    fn object(&mut self) -> Parsed<()> {
        let next = self.objects.len() as u64 + 1;
        if self.cursor.peek().is_some_and(|b| b.is_ascii_digit()) {
            let start = self.cursor.position();
            let number: u64 = self.cursor.number("the object's identity")?;
            if number != next {
                return Err(self.cursor.failure(start, format!("this is object {next}: they are numbered from 1 on")));
            }
        }
        let name = self.cursor.name("the object's name")?.symbol();
        self.cursor.expect(":")?;
        let kind = if self.cursor.eat_word("variable") {
            ObjectKind::Variable
        } else if self.cursor.eat_word("literal") {
            ObjectKind::Literal
        } else if self.cursor.eat_word("function") {
            ObjectKind::Function(self.callee()?)
        } else {
            return Err(self.cursor.expected("`variable`, `literal` or `function`"));
        };
        self.cursor.expect_word("size")?;
        let size = self.cursor.number("a size in bytes")?;
        let place = self.cursor.place()?;
        self.objects.push(StaticObject { name, kind, size, place });
        Ok(())
    }

    /// Items between parentheses, with commas between them.
    pub(super) fn list(&mut self, mut item: impl FnMut(&mut Self) -> Parsed<()>) -> Parsed<()> {
        self.cursor.open()?;
        if self.cursor.close() {
            return Ok(());
        }
        loop {
            item(self)?;
            if self.cursor.close() {
                return Ok(());
            }
            if !self.cursor.eat(",") {
                return Err(self.cursor.expected("`,` or `)`"));
            }
        }
    }

    /// `name: sort` and what users know of the variable. It is in scope from here on.
    pub(super) fn variable(&mut self, global: bool) -> Parsed<Variable> {
        let name = self.cursor.name("a variable")?;
        self.named_variable(&name, global)
    }

    /// As [`Parser::variable`], after the name.
    pub(super) fn named_variable(&mut self, name: &Name<'a>, global: bool) -> Parsed<Variable> {
        let end = self.cursor.position();
        self.cursor.expect(":")?;
        let sort = self.cursor.sort()?;
        let Some(term) = self.scope.declare_variable(name.symbol(), sort, global) else {
            return Err(Failure { start: name.start, end, message: format!("{} is declared twice", name.text) });
        };
        let mut variable = Variable { term, ..Variable::internal(name.symbol(), sort) };
        if self.cursor.eat_word("name") {
            variable.user_name = Some(self.cursor.name("the user's name of the variable")?.symbol());
        }
        if self.cursor.eat_word("type") {
            variable.user_type = Some(Symbol::new(&self.cursor.string("a type between double quotes")?));
        }
        variable.thread_local = self.cursor.eat_word("thread_local");
        variable.never_set = self.cursor.eat_word("never_set");
        variable.place = self.cursor.place()?;
        Ok(variable)
    }

    fn function(&mut self) -> Parsed<()> {
        let name = self.cursor.name("a function")?;
        let end = self.cursor.position();
        let mut parameters = Vec::new();
        self.list(|parser| {
            parameters.push(parser.cursor.sort()?);
            Ok(())
        })?;
        self.cursor.expect(":")?;
        let function = Function { name: name.symbol(), parameters, result: self.cursor.sort()? };
        if !self.scope.declare_function(&function) {
            return Err(Failure { start: name.start, end, message: format!("{} is declared twice", name.text) });
        }
        self.functions.push(function);
        Ok(())
    }

    fn property(&mut self) -> Parsed<()> {
        let name = self.cursor.name("the property's name")?;
        let id = PropertyId(self.properties.len() as u32);
        if self.property_names.insert(name.symbol(), id).is_some() {
            return Err(self.cursor.failure(name.start, format!("the property {} is declared twice", name.text)));
        }
        let class = self.cursor.name("the property's class")?.symbol();
        let text = match self.cursor.peek() {
            Some(b'"') => self.cursor.string("a text")?,
            _ => String::new(),
        };
        let place = self.cursor.place()?;
        self.properties.push(Property { class, text: Symbol::new(&text), place });
        Ok(())
    }

    fn assumption(&mut self) -> Parsed<()> {
        let name = self.cursor.name("the assumption's kind")?;
        let Some(kind) = AssumptionKind::from_name(name.symbol().as_str()) else {
            let known = AssumptionKind::ALL.map(AssumptionKind::name).join(", ");
            return Err(self.cursor.failure(name.start, format!("expected a kind of assumption ({known})")));
        };
        let text = Symbol::new(&self.cursor.string("a text")?);
        let mut functions = Vec::new();
        if self.cursor.eat_word("of") {
            self.list(|parser| {
                functions.push(parser.cursor.name("a function")?.symbol());
                Ok(())
            })?;
        }
        let place = self.cursor.place()?;
        self.assumptions.push(Assumption { kind, text, functions, place });
        Ok(())
    }

    /// The property that is mentioned here.
    pub(super) fn property_id(&mut self) -> Parsed<PropertyId> {
        let name = self.cursor.name("a property")?;
        match self.property_names.get(&name.symbol()) {
            Some(id) => Ok(*id),
            None => Err(self.cursor.failure(name.start, format!("there is no property {} above", name.text))),
        }
    }

    /// The procedure that is mentioned here.
    pub(super) fn callee(&mut self) -> Parsed<Callee> {
        let name = self.cursor.name("a procedure")?;
        Ok(self.callees.mention(&name, self.cursor.position()))
    }

    pub(super) fn add(&mut self, draft: Draft) {
        self.drafts.push(draft);
    }

    /// Puts the program together, now that all procedures are known.
    fn finish(mut self) -> Result<Program, Vec<Failure>> {
        let mut numbers = FxHashMap::default();
        for (number, draft) in self.drafts.iter().enumerate() {
            let name = draft.procedure.name;
            if numbers.insert(name, ProcId(number as u32)).is_some() {
                let message = format!("the procedure {name} is declared twice");
                self.failures.push(Failure { start: draft.start, end: draft.end, message });
            }
        }
        let main = Name { text: "main".into(), quoted: false, start: 0 };
        let entry = self.entry.unwrap_or_else(|| self.callees.mention(&main, 0));
        // Where there were other errors, a procedure may be missing because of them.
        if self.failures.is_empty() {
            let missing = self.callees.mentions.iter().filter(|(name, ..)| !numbers.contains_key(name));
            let failure = |&(name, start, end): &(Symbol, usize, usize)| {
                let why = if end == 0 { ", and the header names no other entry" } else { "" };
                Failure { start, end, message: format!("there is no procedure {name}{why}") }
            };
            self.failures.extend(missing.take(MAX_ERRORS).map(failure));
        }
        if !self.failures.is_empty() {
            return Err(self.failures);
        }
        let ids: Vec<ProcId> = self.callees.mentions.iter().map(|(name, ..)| numbers[name]).collect();
        let id = |callee: Callee| ids[callee.0 as usize];
        for object in &mut self.objects {
            if let ObjectKind::Function(callee) = &mut object.kind {
                *callee = id(*callee);
            }
        }
        Ok(Program {
            file: self.cursor.file,
            data_model: self.data_model,
            globals: self.globals,
            objects: self.objects,
            functions: self.functions,
            axioms: self.axioms,
            procedures: self.drafts.into_iter().map(|draft| draft.finish(id)).collect(),
            entry: id(entry),
            properties: self.properties,
            assumptions: self.assumptions,
        })
    }
}
