//! Datatypes: sorts with functions for constructors, fields and tests, and the axioms that relate them.
//!
//! The axioms leave out that a value is never a part of itself; so a program with datatypes may be shown safe by them, while
//! an execution through their quantifiers cannot be replayed.

use super::context::{Lowered, Lowering};
use crate::check::types::Type;
use crate::hir::*;
use source::{Span, Symbol};
use term::{Term, build};

impl Lowering<'_> {
    /// The constructors that have a field of the name that a selector has, with its position.
    fn with_field(&self, selector: FunctionId) -> Option<(usize, Vec<(usize, usize)>)> {
        let FunctionKind::Selector(datatype) = self.unit.function(selector).kind else { return None };
        let field = field_name(self.unit.function(selector).name);
        let selectors = &self.unit.datatypes[datatype].selectors;
        let position =
            |fields: &Vec<FunctionId>| fields.iter().position(|f| field_name(self.unit.function(*f).name) == field);
        let found = selectors.iter().enumerate().filter_map(|(n, fields)| Some((n, position(fields)?))).collect();
        Some((datatype, found))
    }

    /// The value of a field, whichever constructor made the value.
    pub fn read_field(&mut self, value: Term, field: FunctionId, types: &[Type], span: Span) -> Lowered<Term> {
        let choose = |lowering: &mut Self, datatype: usize, n: usize, at: usize| {
            let selector = lowering.unit.datatypes[datatype].selectors[n][at];
            lowering.apply(selector, types, &[value], span)
        };
        self.by_constructor(value, field, types, span, &choose)
    }

    /// The value with a field changed.
    pub fn write_field(
        &mut self,
        value: Term,
        field: FunctionId,
        types: &[Type],
        new: Term,
        span: Span,
    ) -> Lowered<Term> {
        let choose = |lowering: &mut Self, datatype: usize, n: usize, at: usize| {
            let selectors = lowering.unit.datatypes[datatype].selectors[n].clone();
            let mut fields = Vec::new();
            for selector in selectors {
                fields.push(lowering.apply(selector, types, &[value], span)?);
            }
            fields[at] = new;
            let constructor = lowering.unit.datatypes[datatype].constructors[n];
            lowering.apply(constructor, types, &fields, span)
        };
        self.by_constructor(value, field, types, span, &choose)
    }

    /// What `choose` gives for the constructor that made the value, of those that have the field.
    fn by_constructor(
        &mut self,
        value: Term,
        field: FunctionId,
        types: &[Type],
        span: Span,
        choose: &dyn Fn(&mut Self, usize, usize, usize) -> Lowered<Term>,
    ) -> Lowered<Term> {
        let Some((datatype, mut found)) = self.with_field(field) else { return self.refuse("a field", span) };
        let Some((n, at)) = found.pop() else { return self.refuse("a field", span) };
        let mut result = choose(self, datatype, n, at)?;
        for (n, at) in found.into_iter().rev() {
            let tester = self.unit.datatypes[datatype].testers[n];
            let is_made = self.apply(tester, types, &[value], span)?;
            let chosen = choose(self, datatype, n, at)?;
            result = build::ite(is_made, chosen, result);
        }
        Ok(result)
    }

    /// What holds of a datatype for certain types.
    pub fn datatype_axioms(&mut self, datatype: usize, types: &[Type]) -> Lowered<Vec<Term>> {
        let Datatype { constructors, selectors, testers } = self.unit.datatypes[datatype].clone();
        let Some(first) = constructors.first() else { return Ok(Vec::new()) };
        let span = self.unit.function(*first).span;
        let mut axioms = Vec::new();
        let mut tests = Vec::new();
        let mut whole = None;
        for ((constructor, fields), tester) in constructors.iter().zip(&selectors).zip(&testers) {
            let function = self.unit.function(*constructor).clone();
            let arguments = super::context::TypeArguments {
                parameters: function.type_parameters.clone(),
                arguments: types.to_vec(),
            };
            let sort = self.sort(function.result, &arguments, span)?;
            let value = *whole.get_or_insert_with(|| Term::var("value!0", sort));
            let mut env = super::context::Env { types: arguments, ..Default::default() };
            let bound = self.bind(&function.parameters, &mut env, span)?;
            let made = self.apply(*constructor, types, &bound, span)?;
            let mut facts = vec![self.apply(*tester, types, &[made], span)?];
            let mut parts = Vec::new();
            for (field, argument) in fields.iter().zip(&bound) {
                let read = self.apply(*field, types, &[made], span)?;
                facts.push(build::eq(read, *argument));
                parts.push(self.apply(*field, types, &[value], span)?);
            }
            let triggers = if bound.is_empty() { Vec::new() } else { vec![made] };
            axioms.push(build::forall_triggered(bound, build::and(facts), &triggers));
            let test = self.apply(*tester, types, &[value], span)?;
            let again = self.apply(*constructor, types, &parts, span)?;
            axioms.push(build::forall_triggered([value], build::implies(test, build::eq(value, again)), &[test]));
            tests.push(test);
        }
        let Some(value) = whole else { return Ok(axioms) };
        axioms.push(build::forall_triggered([value], build::or(tests.iter().copied()), &tests));
        for (n, one) in tests.iter().enumerate() {
            for other in &tests[n + 1..] {
                axioms.push(build::forall_triggered([value], build::not(build::and([*one, *other])), &[*one, *other]));
            }
        }
        Ok(axioms)
    }
}

/// A selector's name is that of its field, `#`, and that of its constructor.
fn field_name(selector: Symbol) -> &'static str {
    selector.as_str().split('#').next().unwrap_or_default()
}
