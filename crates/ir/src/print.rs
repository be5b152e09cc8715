//! The textual form of programs: printing. `docs/ir.md` describes the form.
//!
//! Invariant: parsing what is printed gives the same program again, for every valid program. Printing never fails: an
//! invalid program is printed too, as far as the form can say it.

use crate::sorts::write_sort;
use crate::{
    Assumption, Cfa, Edge, LocId, Location, LocationKind, Model, ObjectKind, Op, ProcId, Procedure, Program, Property,
    StaticObject, Variable,
};
use source::{Place, Symbol};
use std::fmt::{self, Write};
use term::symbol::{has_bare_form, write_quoted};
use term::{Sort, Term};

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Printer { program: self, out: f }.program()
    }
}

/// The textual form of a program.
pub fn print(program: &Program) -> String {
    let mut text = String::new();
    Printer { program, out: &mut text }.program().expect("a string takes everything");
    text
}

struct Printer<'a, W> {
    program: &'a Program,
    out: &'a mut W,
}

impl<W: Write> Printer<'_, W> {
    fn program(&mut self) -> fmt::Result {
        let program = self.program;
        self.out.write_str("program ")?;
        self.string(program.file)?;
        write!(self.out, " {} entry ", program.data_model)?;
        self.procedure_name(program.entry)?;
        self.out.write_str("\n")?;
        self.section(&program.objects, Printer::object)?;
        self.section(&program.globals, Printer::global)?;
        self.section(&program.functions, Printer::function)?;
        self.section(&program.axioms, |printer, _, axiom| {
            printer.out.write_str("axiom ")?;
            printer.term(*axiom)
        })?;
        self.section(&program.properties, Printer::property)?;
        self.section(&program.assumptions, Printer::assumption)?;
        program.procedures.iter().try_for_each(|procedure| self.procedure(procedure))
    }

    /// An empty line and a line for each item, if there are any.
    fn section<T>(&mut self, items: &[T], line: impl Fn(&mut Self, usize, &T) -> fmt::Result) -> fmt::Result {
        for (number, item) in items.iter().enumerate() {
            if number == 0 {
                self.out.write_str("\n")?;
            }
            line(self, number, item)?;
            self.out.write_str("\n")?;
        }
        Ok(())
    }

    fn object(&mut self, number: usize, object: &StaticObject) -> fmt::Result {
        write!(self.out, "object {} ", number + 1)?;
        self.name(object.name)?;
        match object.kind {
            ObjectKind::Variable => self.out.write_str(": variable")?,
            ObjectKind::Literal => self.out.write_str(": literal")?,
            ObjectKind::Function(procedure) => {
                self.out.write_str(": function ")?;
                self.procedure_name(procedure)?;
            }
        }
        write!(self.out, " size {}", object.size)?;
        self.place(object.place)
    }

    fn global(&mut self, _: usize, global: &Variable) -> fmt::Result {
        self.out.write_str("global ")?;
        self.variable(global)
    }

    fn variable(&mut self, variable: &Variable) -> fmt::Result {
        self.target(variable.term)?;
        self.out.write_str(": ")?;
        self.sort(variable.sort())?;
        if let Some(name) = variable.user_name {
            self.out.write_str(" name ")?;
            self.name(name)?;
        }
        if let Some(name) = variable.user_type {
            self.out.write_str(" type ")?;
            self.string(name)?;
        }
        if variable.thread_local {
            self.out.write_str(" thread_local")?;
        }
        if variable.never_set {
            self.out.write_str(" never_set")?;
        }
        self.place(variable.place)
    }

    fn function(&mut self, _: usize, function: &term::Function) -> fmt::Result {
        self.out.write_str("function ")?;
        self.name(function.name)?;
        self.out.write_str("(")?;
        self.separated(&function.parameters, |printer, sort| printer.sort(*sort))?;
        self.out.write_str("): ")?;
        self.sort(function.result)
    }

    fn property(&mut self, number: usize, property: &Property) -> fmt::Result {
        write!(self.out, "property P{number} ")?;
        self.name(property.class)?;
        self.out.write_str(" ")?;
        self.string(property.text)?;
        self.place(property.place)
    }

    fn assumption(&mut self, _: usize, assumption: &Assumption) -> fmt::Result {
        write!(self.out, "assumption {} ", assumption.kind)?;
        self.string(assumption.text)?;
        if !assumption.functions.is_empty() {
            self.out.write_str(" of (")?;
            self.separated(&assumption.functions, |printer, function| printer.name(*function))?;
            self.out.write_str(")")?;
        }
        self.place(assumption.place)
    }

    fn procedure(&mut self, procedure: &Procedure) -> fmt::Result {
        self.out.write_str("\nprocedure ")?;
        self.name(procedure.name)?;
        self.out.write_str("(")?;
        self.separated(&procedure.parameters, Printer::variable)?;
        match (procedure.variadic, procedure.parameters.is_empty()) {
            (false, _) => self.out.write_str(")")?,
            (true, true) => self.out.write_str("...)")?,
            (true, false) => self.out.write_str(", ...)")?,
        }
        if !procedure.results.is_empty() {
            self.out.write_str(" returns (")?;
            self.separated(&procedure.results, Printer::variable)?;
            self.out.write_str(")")?;
        }
        match &procedure.body {
            Err(model) => {
                self.out.write_str(match model {
                    Model::Benign => " benign",
                    Model::Unknown => " unknown",
                })?;
                self.place(procedure.place)?;
                self.out.write_str("\n")
            }
            Ok(cfa) => {
                self.place(procedure.place)?;
                self.out.write_str(" {\n")?;
                for local in &procedure.locals {
                    self.out.write_str("  local ")?;
                    self.variable(local)?;
                    self.out.write_str("\n")?;
                }
                self.body(cfa)?;
                self.out.write_str("}\n")
            }
        }
    }

    /// The edges in their order; each location that has something to tell stands before the first edge that touches it.
    fn body(&mut self, cfa: &Cfa) -> fmt::Result {
        for (word, location, default) in [("entry", cfa.entry(), 0), ("exit", cfa.exit(), 1)] {
            if location != LocId(default) {
                writeln!(self.out, "  {word} L{}", location.0)?;
            }
        }
        let mut printed = vec![false; cfa.location_count()];
        for (_, edge) in cfa.edges() {
            for id in [edge.from, edge.to] {
                if !std::mem::replace(&mut printed[id.0 as usize], true) && !is_bare(cfa.location(id)) {
                    self.location(cfa, id)?;
                }
            }
            self.edge(cfa, edge)?;
        }
        for (id, location) in cfa.locations() {
            let implied = is_bare(location) && (id == cfa.entry() || id == cfa.exit());
            if !printed[id.0 as usize] && !implied {
                self.location(cfa, id)?;
            }
        }
        Ok(())
    }

    fn location(&mut self, cfa: &Cfa, id: LocId) -> fmt::Result {
        let location = cfa.location(id);
        self.out.write_str("  location ")?;
        self.location_name(cfa, id)?;
        match location.kind {
            LocationKind::Plain => {}
            LocationKind::Error(property) => write!(self.out, " error P{}", property.0)?,
            LocationKind::End => self.out.write_str(" end")?,
            LocationKind::Unsupported(what) => {
                self.out.write_str(" unsupported ")?;
                self.string(what)?;
            }
        }
        if let Some(label) = location.label {
            self.out.write_str(" label ")?;
            self.name(label)?;
        }
        self.place(location.place)?;
        self.out.write_str("\n")
    }

    fn edge(&mut self, cfa: &Cfa, edge: &Edge) -> fmt::Result {
        self.out.write_str("  ")?;
        self.location_name(cfa, edge.from)?;
        self.out.write_str(" -> ")?;
        self.location_name(cfa, edge.to)?;
        self.out.write_str(": ")?;
        self.op(&edge.op)?;
        self.place(edge.place)?;
        self.out.write_str("\n")
    }

    fn op(&mut self, op: &Op) -> fmt::Result {
        match op {
            Op::Assign(pairs) if pairs.is_empty() => self.out.write_str("skip"),
            Op::Assign(pairs) => self.separated(pairs, |printer, (variable, value)| {
                printer.target(*variable)?;
                printer.out.write_str(" := ")?;
                printer.term(*value)
            }),
            Op::Assume(formula) => {
                self.out.write_str("assume ")?;
                self.term(*formula)
            }
            Op::Havoc(variables) => {
                self.out.write_str(if variables.is_empty() { "havoc" } else { "havoc " })?;
                self.targets(variables)
            }
            Op::Call { procedure, arguments, results } => {
                self.targets(results)?;
                self.out.write_str(if results.is_empty() { "call " } else { " := call " })?;
                self.call(*procedure, arguments)
            }
            Op::Spawn { procedure, arguments, thread } => {
                self.target(*thread)?;
                self.out.write_str(" := spawn ")?;
                self.call(*procedure, arguments)
            }
            Op::AtomicBegin => self.out.write_str("atomic begin"),
            Op::AtomicEnd => self.out.write_str("atomic end"),
        }
    }

    fn call(&mut self, procedure: ProcId, arguments: &[Term]) -> fmt::Result {
        self.procedure_name(procedure)?;
        self.out.write_str("(")?;
        self.separated(arguments, |printer, argument| printer.term(*argument))?;
        self.out.write_str(")")
    }

    fn targets(&mut self, variables: &[Term]) -> fmt::Result {
        self.separated(variables, |printer, variable| printer.target(*variable))
    }

    /// A variable where it is no part of a term: its name says all.
    fn target(&mut self, variable: Term) -> fmt::Result {
        match variable.op() {
            term::Op::Var { name, instance: 0, .. } => self.name(*name),
            _ => self.term(variable),
        }
    }

    /// Items with commas between them.
    fn separated<T>(&mut self, items: &[T], each: impl Fn(&mut Self, &T) -> fmt::Result) -> fmt::Result {
        for (number, item) in items.iter().enumerate() {
            if number > 0 {
                self.out.write_str(", ")?;
            }
            each(self, item)?;
        }
        Ok(())
    }

    fn location_name(&mut self, cfa: &Cfa, id: LocId) -> fmt::Result {
        match id {
            _ if id == cfa.entry() => self.out.write_str("entry"),
            _ if id == cfa.exit() => self.out.write_str("exit"),
            LocId(number) => write!(self.out, "L{number}"),
        }
    }

    /// The name of a procedure; of one that there is not, something that says so.
    fn procedure_name(&mut self, id: ProcId) -> fmt::Result {
        match self.program.procedures.get(id.0 as usize) {
            Some(procedure) => self.name(procedure.name),
            None => write!(self.out, "|procedure {}|", id.0),
        }
    }

    fn place(&mut self, place: Option<Place>) -> fmt::Result {
        let Some(Place { file, line, column }) = place else { return Ok(()) };
        self.out.write_str(" @")?;
        if file != self.program.file {
            self.string(file)?;
            self.out.write_str(":")?;
        }
        write!(self.out, "{line}:{column}")
    }

    fn string(&mut self, text: Symbol) -> fmt::Result {
        self.out.write_str("\"")?;
        for c in text.as_str().chars() {
            match c {
                '"' => self.out.write_str("\\\"")?,
                '\\' => self.out.write_str("\\\\")?,
                '\n' => self.out.write_str("\\n")?,
                c if c.is_control() => write!(self.out, "\\u{{{:x}}}", c as u32)?,
                c => self.out.write_char(c)?,
            }
        }
        self.out.write_str("\"")
    }

    fn name(&mut self, name: Symbol) -> fmt::Result {
        match name.as_str() {
            bare if has_bare_form(bare) => self.out.write_str(bare),
            other => write_quoted(self.out, other),
        }
    }

    fn sort(&mut self, sort: Sort) -> fmt::Result {
        write_sort(self.out, sort)
    }

    fn term(&mut self, term: Term) -> fmt::Result {
        term::text::write(self.out, term)
    }
}

/// Whether a location has nothing to tell but that it is there.
fn is_bare(location: &Location) -> bool {
    location.kind == LocationKind::Plain && location.label.is_none() && location.place.is_none()
}
