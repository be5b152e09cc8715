//! A program over Booleans as a text that this frontend reads.
//!
//! Every location has a label, every edge is a statement and a `goto`. What the text means is what the program means: the same
//! locations are reached, and an error location is an assertion that fails. Names are kept as far as the language can write
//! them; the entry is called `main`.

use ir::{Cfa, Edge, LocId, LocationKind, Op, ProcId, Procedure, Program, Variable};
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt::Write;
use term::{Op as TermOp, SortKind, Term, Value};

/// Writes a program, or says what in it Boolean programs cannot express.
pub fn print(program: &Program) -> Result<String, String> {
    print_relations(program, &[])
}

/// The same for a program in which locals are chosen on an edge of their own, before an edge that assigns: each local stands for what
/// the variable with it may be next. Both edges are written as one assignment with a relation, and the locals are not written.
pub fn print_relations(program: &Program, choices: &[(Term, Term)]) -> Result<String, String> {
    if !program.axioms.is_empty() || !program.functions.is_empty() || !program.objects.is_empty() {
        return Err("the program has objects, functions or axioms".to_string());
    }
    let mut names = Names::default();
    let mut printer = Printer {
        program,
        procedures: FxHashMap::default(),
        variables: FxHashMap::default(),
        choices: choices.iter().copied().collect(),
        text: String::new(),
    };
    printer.procedures.insert(program.entry, names.fresh("main"));
    for (id, procedure) in program.procedures().filter(|(id, _)| *id != program.entry) {
        printer.procedures.insert(id, names.fresh(procedure.name.as_str()));
    }
    for global in printer.boolean(&program.globals)? {
        let name = names.fresh(global.name().as_str());
        let own = if global.thread_local { "thread_local " } else { "" };
        let _ = writeln!(printer.text, "{own}decl {name};");
        printer.variables.insert(global.term, name);
    }
    let has_threads = program.procedures.iter().flat_map(|p| p.body.iter().flat_map(Cfa::edges));
    let has_threads = has_threads.into_iter().any(|(_, edge)| matches!(edge.op, Op::Spawn { .. }));
    for (id, procedure) in program.procedures() {
        printer.procedure(id, procedure, names.clone(), has_threads)?;
    }
    Ok(printer.text)
}

/// Names that are taken.
#[derive(Clone, Default)]
struct Names(FxHashSet<String>);

impl Names {
    /// A name that the language can write, as close to the wanted one as can be.
    fn fresh(&mut self, wanted: &str) -> String {
        let wanted = wanted.rsplit("::").next().unwrap_or(wanted);
        let is_letter = |c: char| c.is_ascii_alphanumeric() || "_$.".contains(c);
        let mut name: String = wanted.chars().map(|c| if is_letter(c) { c } else { '_' }).collect();
        let is_braced = wanted.starts_with('{') && wanted.ends_with('}') && wanted.matches('}').count() == 1;
        if is_braced {
            name = wanted.to_string();
        } else if name.is_empty() || name == "_" || name.starts_with(|c: char| c.is_ascii_digit()) || is_keyword(&name)
        {
            name.insert_str(0, "v_");
        }
        let base = name.clone();
        let mut n = 0;
        while !self.0.insert(name.clone()) {
            n += 1;
            name = match base.strip_suffix('}') {
                Some(inner) => format!("{inner}_{n}}}"),
                None => format!("{base}_{n}"),
            };
        }
        name
    }
}

fn is_keyword(name: &str) -> bool {
    crate::syntax::KEYWORDS.contains(&name)
}

struct Printer<'a> {
    program: &'a Program,
    procedures: FxHashMap<ProcId, String>,
    variables: FxHashMap<Term, String>,
    /// Locals that stand for the next values of variables.
    choices: FxHashMap<Term, Term>,
    text: String,
}

impl<'a> Printer<'a> {
    /// The Boolean ones among variables. The others must be numbers of threads that nobody reads.
    fn boolean(&self, variables: &'a [Variable]) -> Result<Vec<&'a Variable>, String> {
        let is_boolean = |variable: &Variable| *variable.sort().kind() == SortKind::Bool;
        for variable in variables.iter().filter(|variable| !is_boolean(variable)) {
            let edges = self.program.procedures.iter().flat_map(|p| p.body.iter().flat_map(Cfa::edges));
            let mut others =
                edges.into_iter().map(|(_, edge)| &edge.op).filter(|op| !is_number_of_thread(op, variable.term));
            if others.any(|op| op.terms().into_iter().any(|term| term::free::contains(term, variable.term))) {
                return Err(format!("the variable {} is not Boolean", variable.name()));
            }
        }
        let is_written = |variable: &&Variable| is_boolean(variable) && !self.choices.contains_key(&variable.term);
        Ok(variables.iter().filter(is_written).collect())
    }

    fn procedure(
        &mut self,
        id: ProcId,
        procedure: &'a Procedure,
        mut names: Names,
        threads: bool,
    ) -> Result<(), String> {
        let Ok(body) = &procedure.body else { return Err(format!("the procedure {} has no body", procedure.name)) };
        let mut declare = |printer: &mut Self, variables: &'a [Variable]| -> Result<Vec<String>, String> {
            let mut declared = Vec::new();
            for variable in printer.boolean(variables)? {
                let name = names.fresh(variable.name().as_str());
                printer.variables.insert(variable.term, name.clone());
                declared.push(name);
            }
            Ok(declared)
        };
        let parameters = declare(self, &procedure.parameters)?;
        if parameters.len() != procedure.parameters.len() {
            return Err(format!("a parameter of {} is not Boolean", procedure.name));
        }
        let results = declare(self, &procedure.results)?;
        let mut locals = results.clone();
        locals.extend(declare(self, &procedure.locals)?);
        let kind = match results.len() {
            0 => "void".to_string(),
            1 => "bool".to_string(),
            n => format!("bool<{n}>"),
        };
        let _ = writeln!(self.text, "\n{kind} {}({}) begin", self.procedures[&id], parameters.join(", "));
        if !locals.is_empty() {
            let _ = writeln!(self.text, "  decl {};", locals.join(", "));
        }
        let _ = writeln!(self.text, "  goto {};", label(body.entry()));
        let is_middle = |location: LocId| body.incoming(location).iter().any(|edge| self.chooses(body.edge(*edge)));
        let middle: FxHashSet<LocId> = body.locations().map(|(id, _)| id).filter(|id| is_middle(*id)).collect();
        for (location, data) in body.locations().filter(|(id, _)| !middle.contains(id)) {
            let _ = write!(self.text, "{}: ", label(location));
            match data.kind {
                LocationKind::Error(_) => self.text.push_str("assert(F);\n"),
                LocationKind::Unsupported(what) => return Err(format!("{what} is not supported")),
                LocationKind::End if threads => return Err("the end of a program with threads".to_string()),
                LocationKind::End => self.text.push_str("assume(F);\n"),
                LocationKind::Plain if location == body.exit() => {
                    let values = if results.is_empty() { String::new() } else { format!(" {}", results.join(", ")) };
                    let _ = writeln!(self.text, "return{values};");
                }
                LocationKind::Plain => self.edges(body, location)?,
            }
        }
        self.text.push_str("end\n");
        Ok(())
    }

    fn edges(&mut self, body: &Cfa, location: LocId) -> Result<(), String> {
        let edges = body.outgoing(location);
        match edges {
            [] => self.text.push_str("end_thread;\n"),
            [one] => self.edge(body, body.edge(*one))?,
            several => {
                let ways: Vec<String> = (0..several.len()).map(|n| format!("{}_{n}", label(location))).collect();
                let _ = writeln!(self.text, "goto {};", ways.join(", "));
                for (way, edge) in ways.iter().zip(several) {
                    let _ = write!(self.text, "{way}: ");
                    self.edge(body, body.edge(*edge))?;
                }
            }
        }
        Ok(())
    }

    /// Whether an edge only chooses what variables may be next.
    fn chooses(&self, edge: &Edge) -> bool {
        matches!(&edge.op, Op::Havoc(variables)
            if !variables.is_empty() && variables.iter().all(|variable| self.choices.contains_key(variable)))
    }

    /// An assignment whose values depend on choices: a relation between the values before and after.
    fn relation(&self, pairs: &[(Term, Term)]) -> Result<String, String> {
        let (mut targets, mut values, mut constraints) = (Vec::new(), Vec::new(), Vec::new());
        for (target, value) in pairs {
            targets.push(self.expression(*target)?);
            if !term::free::variables([*value]).iter().any(|variable| self.choices.contains_key(variable)) {
                values.push(self.expression(*value)?);
                continue;
            }
            values.push("*".to_string());
            if self.choices.get(value) != Some(target) {
                constraints.push(format!("({} = {})", self.next(*target)?, self.expression(*value)?));
            }
        }
        let relation =
            if constraints.is_empty() { String::new() } else { format!(" constrain {}", constraints.join(" & ")) };
        Ok(format!("{} := {}{relation}", targets.join(", "), values.join(", ")))
    }

    /// The value that a variable takes.
    fn next(&self, variable: Term) -> Result<String, String> {
        Ok(format!("'{}", self.expression(variable)?))
    }

    fn edge(&mut self, body: &Cfa, edge: &Edge) -> Result<(), String> {
        if self.chooses(edge) {
            let [after] = body.outgoing(edge.to) else { return Err("a choice that nothing follows".to_string()) };
            let after = body.edge(*after);
            let Op::Assign(pairs) = &after.op else { return Err("a choice that nothing assigns".to_string()) };
            let _ = writeln!(self.text, "{}; goto {};", self.relation(pairs)?, label(after.to));
            return Ok(());
        }
        let terms = |terms: &mut dyn Iterator<Item = Term>| -> Result<String, String> {
            let texts: Result<Vec<String>, String> = terms.map(|term| self.expression(term)).collect();
            Ok(texts?.join(", "))
        };
        let statement = match &edge.op {
            Op::Assign(pairs) if pairs.is_empty() => "skip".to_string(),
            Op::Assign(pairs) => {
                let targets = terms(&mut pairs.iter().map(|(variable, _)| *variable))?;
                format!("{targets} := {}", terms(&mut pairs.iter().map(|(_, value)| *value))?)
            }
            Op::Assume(condition) => format!("assume({})", self.expression(*condition)?),
            Op::Havoc(variables) if variables.is_empty() => "skip".to_string(),
            Op::Havoc(variables) => {
                format!("{} := {}", terms(&mut variables.iter().copied())?, vec!["*"; variables.len()].join(", "))
            }
            Op::Call { procedure, arguments, results } => {
                let assigned = if results.is_empty() {
                    String::new()
                } else {
                    format!("{} := ", terms(&mut results.iter().copied())?)
                };
                format!("{assigned}{}({})", self.procedures[procedure], terms(&mut arguments.iter().copied())?)
            }
            Op::Spawn { procedure, arguments, .. } => {
                format!("start_thread {}({})", self.procedures[procedure], terms(&mut arguments.iter().copied())?)
            }
            Op::AtomicBegin => "atomic_begin".to_string(),
            Op::AtomicEnd => "atomic_end".to_string(),
        };
        let _ = writeln!(self.text, "{statement}; goto {};", label(edge.to));
        Ok(())
    }

    fn expression(&self, term: Term) -> Result<String, String> {
        crate::syntax::deep(|| {
            let join = |operator: &str| -> Result<String, String> {
                let parts: Result<Vec<String>, String> =
                    term.args().iter().map(|part| self.expression(*part)).collect();
                Ok(format!("({})", parts?.join(operator)))
            };
            match term.op() {
                TermOp::Const(Value::Bool(value)) => Ok(if *value { "T" } else { "F" }.to_string()),
                TermOp::Var { .. } if self.choices.contains_key(&term) => self.next(self.choices[&term]),
                TermOp::Var { name, .. } => {
                    self.variables.get(&term).cloned().ok_or_else(|| format!("the variable {name} is not Boolean"))
                }
                TermOp::Not => Ok(format!("!{}", self.expression(term.args()[0])?)),
                TermOp::And => join(" & "),
                TermOp::Or => join(" | "),
                TermOp::Implies => join(" => "),
                TermOp::Xor => join(" ^ "),
                TermOp::Eq => join(" = "),
                TermOp::Ite => {
                    let [condition, then, otherwise] = term.args() else { return Err("a term".to_string()) };
                    let (condition, then) = (self.expression(*condition)?, self.expression(*then)?);
                    Ok(format!("({condition} ? {then} : {})", self.expression(*otherwise)?))
                }
                other => Err(format!("the operator {other:?} is not one of Booleans")),
            }
        })
    }
}

fn label(location: LocId) -> String {
    format!("L{}", location.0)
}

fn is_number_of_thread(op: &Op, variable: Term) -> bool {
    matches!(op, Op::Spawn { thread, arguments, .. }
        if *thread == variable && !arguments.iter().any(|argument| term::free::contains(*argument, variable)))
}
