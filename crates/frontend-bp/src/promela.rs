//! A program over Booleans without calls in Promela, the language of SPIN, to compare with it.
//!
//! A procedure is a process type, a location is a label and an edge is one option of the choice there. An atomic section must be a
//! straight line; SPIN gives up its atomicity where it has to wait, which leaves the same executions, because what came
//! before in the section changes nothing that others see until it ends or is decided by what they see.

use ir::{Cfa, EdgeId, LocId, LocationKind, Op, ProcId, Program, Variable};
use rustc_hash::FxHashMap;
use std::fmt::Write;
use term::{Op as TermOp, SortKind, Term, Value};

/// Writes a program, or says what in it is not expressed. Only variables that `is_open` says matter get arbitrary values at first.
pub fn print(program: &Program, is_open: &dyn Fn(Term) -> bool) -> Result<String, String> {
    let mut text = String::new();
    let mut names: FxHashMap<Term, String> = FxHashMap::default();
    let boolean = |variables: &[Variable]| -> Vec<Term> {
        let kept = variables.iter().filter(|variable| *variable.sort().kind() == SortKind::Bool);
        kept.map(|variable| variable.term).collect()
    };
    if program.globals.iter().any(|global| global.thread_local) {
        return Err("thread-local variables are not expressed".to_string());
    }
    for (number, global) in boolean(&program.globals).into_iter().enumerate() {
        let _ = writeln!(text, "bool g{number};");
        names.insert(global, format!("g{number}"));
    }
    for (id, procedure) in program.procedures() {
        let Ok(cfa) = &procedure.body else { return Err("a procedure has no body".to_string()) };
        let mut own = names.clone();
        let mut declare = |terms: Vec<Term>, start: usize| {
            let named = terms.into_iter().enumerate().map(|(n, term)| (term, format!("l{}", start + n)));
            let named: Vec<(Term, String)> = named.collect();
            own.extend(named.iter().cloned());
            named.into_iter().map(|(_, name)| name).collect::<Vec<String>>()
        };
        let parameters = declare(boolean(&procedure.parameters), 0);
        let variables = boolean(&procedure.results).into_iter().chain(boolean(&procedure.locals)).collect();
        let locals = declare(variables, parameters.len());
        let is_entry = id == program.entry;
        let kind = if is_entry { "active proctype" } else { "proctype" };
        let head = if is_entry { Vec::new() } else { parameters.iter().map(|p| format!("bool {p}")).collect() };
        let _ = writeln!(text, "{kind} p{}({}) {{", id.0, head.join("; "));
        let at_top = locals.iter().chain(parameters.iter().filter(|_| is_entry));
        at_top.for_each(|name| {
            let _ = writeln!(text, "  bool {name};");
        });
        let widest = cfa.edges().map(|(_, edge)| if let Op::Assign(pairs) = &edge.op { pairs.len() } else { 0 }).max();
        (0..widest.unwrap_or(0)).for_each(|n| {
            let _ = writeln!(text, "  bool t{n};");
        });
        let writer = Writer { cfa, names: own };
        if is_entry {
            let globals = boolean(&program.globals).into_iter().filter(|global| is_open(*global));
            let globals: Vec<String> = globals.map(|global| names[&global].clone()).chain(parameters).collect();
            let _ = writeln!(text, "  {}", choose(&globals));
        }
        let _ = writeln!(text, "  goto L{};", cfa.entry().0);
        for (location, data) in cfa.locations().filter(|(location, _)| *location != cfa.exit()) {
            let body = match data.kind {
                LocationKind::Error(_) => "assert(false)".to_string(),
                LocationKind::Plain => writer.location(location)?,
                LocationKind::End | LocationKind::Unsupported(_) => return Err("an end of the program".to_string()),
            };
            let _ = writeln!(text, "L{}: {body};", location.0);
        }
        let _ = writeln!(text, "L{}: skip\n}}", cfa.exit().0);
    }
    Ok(text)
}

/// Each of the variables takes one value or the other.
fn choose(names: &[String]) -> String {
    let one = |name: &String| format!("if :: {name} = 0 :: {name} = 1 fi");
    match names {
        [] => "skip;".to_string(),
        _ => format!("atomic {{ {} }};", names.iter().map(one).collect::<Vec<_>>().join("; ")),
    }
}

struct Writer<'a> {
    cfa: &'a Cfa,
    names: FxHashMap<Term, String>,
}

impl Writer<'_> {
    fn location(&self, location: LocId) -> Result<String, String> {
        let options = self.cfa.outgoing(location).iter().map(|edge| self.option(*edge));
        let options = options.collect::<Result<Vec<String>, String>>()?;
        Ok(if options.is_empty() { "false".to_string() } else { format!("if {} fi", options.join(" ")) })
    }

    fn option(&self, edge: EdgeId) -> Result<String, String> {
        let edge = self.cfa.edge(edge);
        if !matches!(edge.op, Op::AtomicBegin) {
            return Ok(format!(":: {} goto L{}", self.statement(&edge.op)?, edge.to.0));
        }
        let mut statements = Vec::new();
        let mut at = edge.to;
        loop {
            let [only] = self.cfa.outgoing(at) else { return Err("an atomic section with branches".to_string()) };
            let next = self.cfa.edge(*only);
            at = next.to;
            match &next.op {
                Op::AtomicEnd => break,
                op => statements.push(self.statement(op)?),
            }
        }
        Ok(format!(":: atomic {{ skip; {} skip }}; goto L{}", statements.join(" "), at.0))
    }

    fn statement(&self, op: &Op) -> Result<String, String> {
        let name =
            |variable: &Term| self.names.get(variable).cloned().ok_or("a variable that is not Boolean".to_string());
        Ok(match op {
            Op::Assign(pairs) if pairs.is_empty() => "true ->".to_string(),
            Op::Assume(condition) => format!("({}) ->", self.expression(*condition)?),
            Op::Havoc(variables) => choose(&variables.iter().map(name).collect::<Result<Vec<_>, _>>()?),
            Op::Assign(pairs) => {
                // All values are computed before any variable changes; the copies are set back, so that they make no states.
                if let [(target, value)] = &pairs[..] {
                    return Ok(format!("{} = {};", name(target)?, self.expression(*value)?));
                }
                let copy = |n: usize| format!("t{n}");
                let mut parts = Vec::new();
                for (n, (_, value)) in pairs.iter().enumerate() {
                    parts.push(format!("{} = {}", copy(n), self.expression(*value)?));
                }
                for (n, (target, _)) in pairs.iter().enumerate() {
                    parts.push(format!("{} = {}; {} = 0", name(target)?, copy(n), copy(n)));
                }
                format!("d_step {{ {} }};", parts.join("; "))
            }
            Op::Spawn { procedure: ProcId(number), arguments, .. } => {
                let arguments = arguments.iter().map(|argument| self.expression(*argument));
                format!("run p{number}({});", arguments.collect::<Result<Vec<_>, _>>()?.join(", "))
            }
            Op::Call { .. } | Op::AtomicBegin | Op::AtomicEnd => {
                return Err("a call or nested atomic sections".to_string());
            }
        })
    }

    fn expression(&self, term: Term) -> Result<String, String> {
        crate::syntax::deep(|| {
            let parts =
                term.args().iter().map(|part| self.expression(*part)).collect::<Result<Vec<String>, String>>()?;
            let join = |operator: &str| format!("({})", parts.join(operator));
            Ok(match term.op() {
                TermOp::Const(Value::Bool(value)) => u8::from(*value).to_string(),
                TermOp::Var { .. } => self.names.get(&term).cloned().ok_or("a variable that is not Boolean")?,
                TermOp::Not => format!("!{}", parts[0]),
                TermOp::And => join(" && "),
                TermOp::Or => join(" || "),
                TermOp::Implies => format!("(!{} || {})", parts[0], parts[1]),
                TermOp::Xor => join(" != "),
                TermOp::Eq => join(" == "),
                TermOp::Ite => format!("({} -> {} : {})", parts[0], parts[1], parts[2]),
                other => return Err(format!("the operator {other:?} is not one of Booleans")),
            })
        })
    }
}
