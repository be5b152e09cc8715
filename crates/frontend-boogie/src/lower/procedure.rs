//! Procedures: parameters, contracts and bodies.

use super::context::{Lowered, Lowering, TypeArguments};
use super::modular::Reading;
use super::writer::{EXIT, Frame};
use crate::check::types::Type;
use crate::hir::*;
use ir::{Cfa, Model, Op, ProcId};
use source::{Span, Symbol};
use std::rc::Rc;

impl Lowering<'_> {
    /// The program's procedure for a procedure with certain types, which is lowered later.
    pub fn procedure(&mut self, id: ProcedureId, types: &[Type], span: Span) -> Lowered<ProcId> {
        self.procedure_read(id, types, self.reading_of_calls(), span)
    }

    /// The same, read in a certain way.
    pub fn procedure_read(&mut self, id: ProcedureId, types: &[Type], reading: Reading, span: Span) -> Lowered<ProcId> {
        let key = (id, types.to_vec(), reading);
        if let Some(known) = self.procedures.get(&key) {
            return Ok(*known);
        }
        let procedure = self.unit.procedure(id);
        let (name, declared) = (procedure.name, procedure.span);
        let arguments = TypeArguments { parameters: procedure.type_parameters.clone(), arguments: types.to_vec() };
        let implementation = procedure.implementations.first().filter(|_| reading == Reading::Body).cloned();
        let (inputs, outputs) = match &implementation {
            Some(implementation) => (implementation.parameters.clone(), implementation.results.clone()),
            None => (procedure.parameters.clone(), procedure.results.clone()),
        };
        // What the implementation calls its type parameters is another matter.
        let arguments = match &implementation {
            Some(i) => TypeArguments { parameters: i.type_parameters.clone(), ..arguments },
            None => arguments,
        };
        let name = match types.is_empty() {
            true if reading == Reading::Contract => Symbol::new(&format!("{name}$contract")),
            true => name,
            false => {
                let shown: Vec<String> = types.iter().map(|ty| self.types.show(*ty)).collect();
                Symbol::new(&format!("{name}<{}>", shown.join(",")))
            }
        };
        let mut declare = |list: &[VarId]| -> Lowered<Vec<ir::Variable>> {
            let mut declared = Vec::new();
            for id in list {
                let variable = self.unit.variable(*id).clone();
                let sort = self.sort(variable.ty, &arguments, span)?;
                declared.push(self.declared(&format!("{name}::{}", variable.name), &variable, sort));
            }
            Ok(declared)
        };
        let (parameters, results) = (declare(&inputs)?, declare(&outputs)?);
        let number = ProcId(self.program.procedures.len() as u32);
        self.program.procedures.push(ir::Procedure {
            name,
            parameters,
            variadic: false,
            results,
            locals: Vec::new(),
            body: Err(Model::Benign),
            place: Some(self.place(declared)),
        });
        self.procedures.insert(key, number);
        self.pending.push((number, id, types.to_vec(), reading));
        Ok(number)
    }

    /// Lowers everything that was mentioned, and what that mentions.
    pub fn lower_pending(&mut self) {
        while let Some((number, id, types, reading)) = self.pending.pop() {
            if let Some((locals, body)) = self.lower_procedure(number, id, types, reading) {
                let procedure = &mut self.program.procedures[number.0 as usize];
                (procedure.locals, procedure.body) = (locals, Ok(body));
            }
        }
    }

    fn lower_procedure(
        &mut self,
        number: ProcId,
        id: ProcedureId,
        types: Vec<Type>,
        reading: Reading,
    ) -> Option<(Vec<ir::Variable>, Cfa)> {
        let procedure = self.unit.procedure(id);
        let span = procedure.span;
        let implementations = match reading {
            Reading::Body => procedure.implementations.clone(),
            Reading::Contract => Vec::new(),
        };
        let is_silent =
            procedure.modifies.is_empty() && procedure.ensures.is_empty() && procedure.requires.iter().all(|r| !r.free);
        let has_conditions = |list: &[VarId]| list.iter().any(|v| self.unit.variable(*v).condition.is_some());
        let is_silent = is_silent && !has_conditions(&procedure.parameters) && !has_conditions(&procedure.results);
        if implementations.is_empty() && is_silent {
            return None;
        }
        let place = Some(self.place(span));
        let declared = &self.program.procedures[number.0 as usize];
        let mut frame = Frame::new(declared.name, place);
        let start = frame.here();
        let terms: Vec<_> = declared.parameters.iter().chain(&declared.results).map(|v| v.term).collect();
        for term in &terms {
            let name = term.name().map_or("", |name| name.as_str());
            let prefix = format!("{}::", frame.name);
            frame.local_name(name.strip_prefix(&prefix).unwrap_or(name));
        }
        // The contract and the implementation have names of their own for the same things.
        let of_contract: Vec<VarId> = procedure.parameters.iter().chain(&procedure.results).copied().collect();
        frame.env.variables.extend(of_contract.iter().copied().zip(terms.iter().copied()));
        frame.env.types.parameters.extend(&procedure.type_parameters);
        frame.env.types.arguments.extend(&types);
        if let Some(implementation) = implementations.first() {
            let own = implementation.parameters.iter().chain(&implementation.results).copied();
            frame.env.variables.extend(own.zip(terms));
            frame.env.types.parameters.extend(&implementation.type_parameters);
            frame.env.types.arguments.extend(&types);
        }
        let outside = std::mem::take(&mut self.saved);
        let body = match &implementations[..] {
            [] => self.without_implementation(id, &of_contract, &mut frame),
            [implementation] => self.implementation(id, implementation, &mut frame),
            _ => self.refuse("a procedure with several implementations", span),
        };
        if let Err(refused) = body {
            self.unsupported(&mut frame, refused);
        }
        let saved = std::mem::replace(&mut self.saved, outside);
        Some(frame.finish(saved, start, place))
    }

    fn implementation(&mut self, id: ProcedureId, own: &Rc<Implementation>, frame: &mut Frame) -> Lowered<()> {
        self.declare_locals(&own.body.locals, frame);
        let variables: Vec<VarId> =
            own.parameters.iter().chain(&own.results).chain(&own.body.locals).copied().collect();
        // Callers assert what is not free; but nobody calls the entry, and with the modular view nobody calls a body.
        self.enter(id, &variables, id == self.entry || self.is_modular, frame)?;
        self.collect_labels(&own.body.statements, frame, 0);
        self.statements(&own.body.statements, frame);
        let end = frame.end;
        frame.jump(end, None);
        frame.go_on_at(end.location);
        self.leave(id, frame)?;
        let last = frame.here();
        frame.edge(last, Op::skip(), EXIT, None);
        Ok(())
    }

    /// Declares local variables. One whose type cannot be expressed is refused where it is used.
    pub fn declare_locals(&mut self, locals: &[VarId], frame: &mut Frame) {
        for id in locals {
            let variable = self.unit.variable(*id).clone();
            if let Ok(sort) = self.sort(variable.ty, &frame.env.types, variable.span) {
                let name = frame.local_name(variable.name.as_str());
                let declared = self.declared(name.as_str(), &variable, sort);
                frame.env.variables.insert(*id, declared.term);
                frame.locals.push(declared);
            }
        }
    }
}
