//! From the syntax tree to the automata that engines check.
//!
//! * Each `*` is a variable of its own that takes an arbitrary value just before; `x := *` is one step.
//! * An assignment with `constrain` assumes, in an atomic section, the constraint about the values that are about to be
//!   assigned.
//! * `enforce` is assumed before each statement that follows it and where the function returns.
//! * `start_thread goto L` starts a procedure of its own: a copy of the function that begins at the label and takes the values
//!   of the function's variables as arguments.
//! * Threads go on when the first has ended, so in a program with threads the start never returns.

mod body;
mod branch;
mod expr;
mod start;
mod statement;
mod tidy;

use crate::Options;
use crate::syntax::{Function, Start, Statement, StatementKind, Unit};
use ir::{DataModel, ProcId, Procedure, Program, Property, PropertyId, Variable};
use rustc_hash::FxHashMap;
use source::{Diagnostic, Place, Severity, SourceMap, Span, Symbol};
use term::{Sort, Term};

/// How the classes of properties about labels begin.
pub const LABEL: &str = "unreach-label:";
const ASSERTIONS: &str = "unreach-call";

/// Makes a program, which keeps the laws of programs.
pub fn lower(unit: &Unit, file: Symbol, map: &SourceMap, options: &Options) -> Result<Program, Vec<Diagnostic>> {
    let mut lowering = Lowering {
        unit,
        map,
        options,
        globals: FxHashMap::default(),
        functions: FxHashMap::default(),
        threads: FxHashMap::default(),
        pending: Vec::new(),
        program: Program::empty(file, DataModel::Lp64),
        properties: FxHashMap::default(),
        has_threads: unit.functions.iter().any(|function| starts_thread(&function.body)),
        diagnostics: Vec::new(),
    };
    lowering.declare();
    lowering.bodies();
    lowering.start();
    let Lowering { program, mut diagnostics, .. } = lowering;
    if diagnostics.is_empty() {
        return Ok(program);
    }
    diagnostics.sort_by_key(|one| one.primary.as_ref().map(|label| (label.span.start, label.span.end)));
    diagnostics.dedup();
    Err(diagnostics)
}

fn starts_thread(statements: &[Statement]) -> bool {
    statements.iter().any(|statement| match &statement.kind {
        StatementKind::Start(_) => true,
        StatementKind::If { branches, otherwise } => {
            branches.iter().any(|(_, block)| starts_thread(block)) || starts_thread(otherwise)
        }
        StatementKind::While(_, block) => starts_thread(block),
        _ => false,
    })
}

/// What a procedure is made of.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Code {
    /// A function from its beginning.
    Function(usize),
    /// A function from one of its labels, for a thread that starts there.
    From(usize, Symbol),
    /// What a thread does that starts with a function: its own copies of globals come first.
    Thread(usize),
}

struct Lowering<'a> {
    unit: &'a Unit,
    map: &'a SourceMap,
    options: &'a Options,
    globals: FxHashMap<Symbol, Term>,
    functions: FxHashMap<Symbol, usize>,
    /// Procedures that are no functions.
    threads: FxHashMap<Code, ProcId>,
    /// Those of them that are still to be written.
    pending: Vec<(Code, ProcId)>,
    program: Program,
    properties: FxHashMap<(Symbol, Span), PropertyId>,
    has_threads: bool,
    diagnostics: Vec<Diagnostic>,
}

impl<'a> Lowering<'a> {
    fn place(&self, span: Span) -> Option<Place> {
        Some(self.map.place(span))
    }

    fn error(&mut self, span: Span, message: impl Into<String>) {
        self.diagnostics.push(Diagnostic::error(span, message));
    }

    fn function(&self, index: usize) -> &'a Function {
        &self.unit.functions[index]
    }

    fn declare(&mut self) {
        for global in &self.unit.globals {
            let name = global.declared.name;
            if name.text.as_str() == "_" {
                self.error(name.span, "`_` is no name of a variable: it stands for a result that nobody wants");
            }
            let place = self.place(name.span);
            let variable = Variable { thread_local: global.thread_local, ..user_variable(name.text, name.text, place) };
            if self.globals.insert(name.text, variable.term).is_some() {
                self.error(name.span, format!("the variable `{}` is declared twice", name.text));
            } else {
                self.program.globals.push(variable);
            }
        }
        for (index, function) in self.unit.functions.iter().enumerate() {
            if self.functions.insert(function.name.text, index).is_some() {
                self.error(function.name.span, format!("the function `{}` is defined twice", function.name.text));
            }
        }
    }

    /// Writes the functions, whose procedures have their numbers, and then what threads begin with.
    fn bodies(&mut self) {
        self.program.procedures = vec![empty(Symbol::new("$unwritten"), None); self.unit.functions.len()];
        for index in 0..self.unit.functions.len() {
            let name = self.function(index).name.text;
            self.program.procedures[index] = self.body(index, name, None);
        }
        while let Some((code, id)) = self.pending.pop() {
            let name = self.program.procedure(id).name;
            let procedure = match code {
                Code::From(index, label) => self.body(index, name, Some(label)),
                Code::Function(index) | Code::Thread(index) => self.thread_of(index, name),
            };
            self.program.procedures[id.0 as usize] = procedure;
        }
    }

    /// The procedure for a piece of code, which is written later if it is new.
    fn procedure(&mut self, code: Code) -> ProcId {
        if let Code::Function(index) = code {
            return ProcId(index as u32);
        }
        if let Some(id) = self.threads.get(&code) {
            return *id;
        }
        let id = ProcId(self.program.procedures.len() as u32);
        self.threads.insert(code, id);
        self.pending.push((code, id));
        let name = match code {
            Code::Function(index) | Code::Thread(index) => format!("$thread.{}", self.function(index).name.text),
            Code::From(index, label) => format!("{}@{label}", self.function(index).name.text),
        };
        self.program.procedures.push(empty(Symbol::new(&name), None));
        id
    }

    /// What a thread runs that is started with a call.
    fn thread_start(&mut self, start: &Start, within: usize) -> Option<Code> {
        match start {
            Start::Goto(label) => Some(Code::From(within, label.text)),
            Start::Call(call) => {
                let index = self.callee(call.callee)?;
                let has_own = self.unit.globals.iter().any(|global| global.thread_local);
                Some(if has_own { Code::Thread(index) } else { Code::Function(index) })
            }
        }
    }

    fn callee(&mut self, name: crate::syntax::Name) -> Option<usize> {
        let found = self.functions.get(&name.text).copied();
        if found.is_none() {
            self.error(name.span, format!("there is no function `{}`", name.text));
        }
        found
    }

    fn property(&mut self, class: Symbol, text: String, span: Span) -> PropertyId {
        let place = self.place(span);
        let properties = &mut self.program.properties;
        *self.properties.entry((class, span)).or_insert_with(|| {
            properties.push(Property { class, text: Symbol::new(&text), place });
            PropertyId(properties.len() as u32 - 1)
        })
    }

    /// The class of properties that forbids a label, if it was asked for.
    fn forbidden(&self, label: Symbol) -> Option<Symbol> {
        let class =
            self.options.properties.iter().find(|class| class.as_str().strip_prefix(LABEL) == Some(label.as_str()));
        class.copied()
    }

    fn checks_assertions(&self) -> bool {
        self.options.properties.iter().any(|class| class.as_str() == ASSERTIONS)
    }

    /// The procedure that execution starts with.
    fn start(&mut self) {
        let Some(&entry) = self.functions.get(&self.options.entry) else {
            let message = format!("the program has no function `{}` to start with", self.options.entry);
            let help = "name another one with --entry";
            self.diagnostics.push(Diagnostic::without_place(Severity::Error, message).help(help));
            return;
        };
        let has_values = self.unit.globals.iter().any(|global| global.declared.value.is_some());
        self.program.entry = match has_values || self.has_threads {
            true => self.start_of(entry),
            false => ProcId(entry as u32),
        };
    }
}

/// A variable that the user declared.
fn user_variable(name: Symbol, user_name: Symbol, place: Option<Place>) -> Variable {
    let bool_type = Some(Symbol::new("bool"));
    Variable { user_name: Some(user_name), user_type: bool_type, place, ..Variable::internal(name, Sort::bool()) }
}

/// A procedure that does nothing yet.
fn empty(name: Symbol, place: Option<Place>) -> Procedure {
    Procedure {
        name,
        parameters: Vec::new(),
        variadic: false,
        results: Vec::new(),
        locals: Vec::new(),
        body: Err(ir::Model::Unknown),
        place,
    }
}
