//! Declarations: first all types, then constants, functions and globals, then procedures, and at last everything that has
//! expressions in it, because the order of declarations does not matter.

use super::types::{Type, TypeData};
use super::{Checker, Modifies};
use crate::hir::*;
use crate::syntax::{self, Argument, Attributes, DeclarationKind, ExprKind, Name, Tree, TypeRef};
use source::{Diagnostic, Span, Symbol};

impl Checker<'_> {
    pub(super) fn declare_types(&mut self) {
        let tree = self.tree;
        for declaration in &tree.declarations {
            let (name, parameters, synonym) = match &declaration.kind {
                DeclarationKind::Type { name, parameters, synonym } => (name, parameters, *synonym),
                DeclarationKind::Datatype { name, parameters, .. } => (name, parameters, None),
                _ => continue,
            };
            if declaration.attributes.has("builtin") && synonym.is_none() {
                self.unit.foreign_types.insert(name.text);
            }
            let width = name.text.as_str().strip_prefix("bv");
            if width.is_some_and(|width| !width.is_empty() && width.bytes().all(|b| b.is_ascii_digit())) {
                self.error(name.span, format!("`{}` is a type of bit-vectors", name.text));
            }
            let declared = super::TypeName { span: name.span, parameters: parameters.clone(), synonym };
            if let Some(first) = self.type_names.insert(name.text, declared) {
                self.twice(name.text, name.span, first.span);
            }
        }
        // What a synonym stands for must make sense even if nobody uses it.
        for declaration in &tree.declarations {
            if let DeclarationKind::Type { parameters, synonym: Some(synonym), .. } = &declaration.kind {
                self.bring_type_parameters(parameters);
                self.written_type(*synonym);
                self.type_scope.clear();
            }
        }
    }

    /// Makes a variable of what was written, without its scope and its `where` clause being looked at.
    pub(super) fn declare_variable(&mut self, written: &syntax::Variable, kind: VariableKind) -> VarId {
        let ty = self.written_type(written.ty);
        self.new_variable(Variable {
            name: written.name.text,
            ty,
            kind,
            condition: written.condition,
            thread_local: written.attributes.has("thread_local"),
            span: written.name.span,
        })
    }

    pub(super) fn declare_values(&mut self) {
        let tree = self.tree;
        for declaration in &tree.declarations {
            match &declaration.kind {
                DeclarationKind::Constants { unique, constants, .. } => {
                    for constant in constants {
                        let kind = FunctionKind::Constant { unique: *unique, parents: None };
                        self.constant(&constant.name, constant.ty, kind, &declaration.attributes);
                    }
                }
                DeclarationKind::Globals(variables) => {
                    for written in variables {
                        let variable = self.declare_variable(written, VariableKind::Global);
                        self.unit.globals.push(variable);
                        if let Some(first) = self.globals.insert(written.name.text, variable) {
                            let first = self.unit.variable(first).span;
                            self.twice(written.name.text, written.name.span, first);
                        }
                    }
                }
                DeclarationKind::Function(function) => self.function(function, &declaration.attributes),
                DeclarationKind::Datatype { name, parameters, constructors } => {
                    self.datatype(name, parameters, constructors);
                }
                _ => {}
            }
        }
        self.order_constants();
        self.old_datatypes();
        self.datatypes_have_values();
    }

    fn constant(&mut self, name: &Name, ty: TypeRef, kind: FunctionKind, attributes: &Attributes) {
        let result = self.written_type(ty);
        let id = self.new_function(name.text, name.span, kind, Vec::new(), Vec::new(), result);
        self.unit.functions[id.0 as usize].outside = outside(self.tree, attributes);
        if let Some(first) = self.constants.insert(name.text, id) {
            let first = self.unit.function(first).span;
            self.twice(name.text, name.span, first);
        }
    }

    fn order_constants(&mut self) {
        let tree = self.tree;
        for declaration in &tree.declarations {
            let DeclarationKind::Constants { constants, order: Some(order), .. } = &declaration.kind else { continue };
            let mut found = Vec::new();
            for parent in &order.parents {
                match self.constants.get(&parent.text) {
                    Some(id) => found.push(*id),
                    None => self.error(parent.span, format!("there is no constant `{}`", parent.text)),
                }
            }
            for constant in constants {
                let id = self.constants[&constant.name.text];
                if let FunctionKind::Constant { parents, .. } = &mut self.unit.functions[id.0 as usize].kind {
                    *parents = Some(found.clone());
                }
            }
        }
    }

    fn new_function(
        &mut self,
        name: Symbol,
        span: Span,
        kind: FunctionKind,
        type_parameters: Vec<Type>,
        parameters: Vec<VarId>,
        result: Type,
    ) -> FunctionId {
        let function =
            Function { name, span, kind, type_parameters, parameters, result, body: None, outside: Outside::Nothing };
        self.unit.functions.push(function);
        FunctionId(self.unit.functions.len() as u32 - 1)
    }

    /// Gives a function its name, which no other may have.
    fn name_function(&mut self, id: FunctionId) {
        let Function { name, span, .. } = *self.unit.function(id);
        if let Some(first) = self.functions.insert(name, id) {
            let first = self.unit.function(first).span;
            self.twice(name, span, first);
        }
    }

    fn function(&mut self, written: &syntax::Function, attributes: &Attributes) {
        let type_parameters = self.bring_type_parameters(&written.type_parameters);
        let mut parameters = Vec::new();
        for (n, (name, ty)) in written.parameters.iter().enumerate() {
            let ty = self.written_type(*ty);
            let (name, span) = match name {
                Some(name) => super::written_name(name),
                None => (Symbol::new(&format!("#{n}")), written.name.span),
            };
            let kind = VariableKind::Bound;
            parameters.push(self.new_variable(Variable { name, ty, kind, condition: None, thread_local: false, span }));
        }
        let result = self.written_type(written.result);
        self.type_scope.clear();
        let (name, span) = super::written_name(&written.name);
        let id = self.new_function(name, span, FunctionKind::Plain, type_parameters, parameters, result);
        let function = &mut self.unit.functions[id.0 as usize];
        function.body = written.body;
        function.outside = outside(self.tree, attributes);
        if attributes.has("inline") && attributes.has("define") {
            self.error(span, "a function cannot be marked both {:inline} and {:define}");
        }
        self.name_function(id);
    }

    fn datatype(&mut self, name: &Name, parameters: &[Name], constructors: &[(Name, Vec<syntax::Variable>)]) {
        let types = self.bring_type_parameters(parameters);
        let ty = self.unit.types.add(TypeData::Named(name.text, types.clone()));
        let mut made = Vec::new();
        for (name, fields) in constructors {
            let fields: Vec<VarId> = fields.iter().map(|f| self.declare_variable(f, VariableKind::Bound)).collect();
            let kind = FunctionKind::Plain;
            let id = self.new_function(name.text, name.span, kind, types.clone(), fields, ty);
            self.name_function(id);
            made.push(id);
        }
        self.type_scope.clear();
        self.fields_agree(&made);
        self.complete_datatype(made);
    }

    /// Fields of one name have one type, whichever constructor they are of.
    fn fields_agree(&mut self, constructors: &[FunctionId]) {
        let fields = constructors.iter().flat_map(|id| self.unit.function(*id).parameters.clone());
        let mut known: Vec<VarId> = Vec::new();
        for field in fields.collect::<Vec<_>>() {
            let Variable { name, ty, span, .. } = *self.unit.variable(field);
            match known.iter().find(|other| self.unit.variable(**other).name == name) {
                Some(other) => {
                    let (first, other) = (self.unit.variable(*other).span, self.unit.variable(*other).ty);
                    if !self.unit.types.unify(ty, other) {
                        let message = format!("the field `{name}` has another type in another constructor");
                        self.report(Diagnostic::error(span, message).secondary(first, "there"));
                    }
                }
                None => known.push(field),
            }
        }
    }

    /// A datatype has a value: one of its constructors needs only values of others that have one.
    fn datatypes_have_values(&mut self) {
        let mut made: Vec<Symbol> = Vec::new();
        let tree = self.tree;
        let declared = tree.declarations.iter().filter_map(|declaration| match &declaration.kind {
            DeclarationKind::Datatype { name, constructors, .. } => Some((name, constructors)),
            _ => None,
        });
        let mut open: Vec<_> = declared.collect();
        loop {
            let names: Vec<Symbol> = open.iter().map(|(name, _)| name.text).collect();
            let is_made = |constructor: &(Name, Vec<syntax::Variable>)| {
                let id = self.functions.get(&constructor.0.text);
                let fields = id.map(|id| self.unit.function(*id).parameters.clone()).unwrap_or_default();
                fields.iter().all(|field| match self.unit.types.data(self.unit.variable(*field).ty) {
                    TypeData::Named(name, _) => made.contains(name) || !names.contains(name),
                    _ => true,
                })
            };
            let found: Vec<Symbol> = open
                .iter()
                .filter(|(_, constructors)| constructors.iter().any(is_made))
                .map(|(name, _)| name.text)
                .collect();
            if found.is_empty() {
                break;
            }
            open.retain(|(name, _)| !found.contains(&name.text));
            made.extend(found);
        }
        for (name, _) in open {
            self.error(name.span, format!("no value of `{}` can be made without another one first", name.text));
        }
    }

    /// What has no value of its own cannot be restricted.
    pub(super) fn refuse_where(&mut self, variables: &[syntax::Variable], what: &str) {
        for variable in variables.iter().filter(|variable| variable.condition.is_some()) {
            self.error(variable.name.span, format!("{what} has a where clause"));
        }
    }

    /// Datatypes as they were written once: a type and functions with attributes.
    fn old_datatypes(&mut self) {
        let tree = self.tree;
        for declaration in tree.declarations.iter().filter(|d| d.attributes.has("datatype")) {
            let DeclarationKind::Type { name: ty, .. } = &declaration.kind else { continue };
            let constructors = tree.declarations.iter().filter(|d| d.attributes.has("constructor"));
            let functions = constructors.filter_map(|d| match &d.kind {
                DeclarationKind::Function(function) => self.functions.get(&function.name.text).copied(),
                _ => None,
            });
            let of_type = |id: &FunctionId| {
                let result = self.unit.function(*id).result;
                matches!(self.unit.types.data(result), TypeData::Named(name, _) if *name == ty.text)
            };
            let made: Vec<FunctionId> = functions.filter(of_type).collect();
            self.complete_datatype(made);
        }
    }

    /// Makes the selectors and testers of constructors.
    fn complete_datatype(&mut self, constructors: Vec<FunctionId>) {
        let datatype = self.unit.datatypes.len();
        let bool = self.unit.types.bool();
        let (mut selectors, mut testers) = (Vec::new(), Vec::new());
        for (n, id) in constructors.iter().enumerate() {
            self.unit.functions[id.0 as usize].kind = FunctionKind::Constructor(datatype, n);
            let constructor = self.unit.function(*id).clone();
            let (span, types) = (constructor.span, constructor.type_parameters.clone());
            let value = |checker: &mut Self| {
                let name = Symbol::new("#0");
                let (kind, ty) = (VariableKind::Bound, constructor.result);
                checker.new_variable(Variable { name, ty, kind, condition: None, thread_local: false, span })
            };
            let mut fields = Vec::new();
            for field in &constructor.parameters {
                let Variable { name, ty, .. } = *self.unit.variable(*field);
                let name = Symbol::new(&format!("{name}#{}", constructor.name));
                let parameter = value(self);
                let kind = FunctionKind::Selector(datatype);
                let selector = self.new_function(name, span, kind, types.clone(), vec![parameter], ty);
                self.name_function(selector);
                fields.push(selector);
            }
            let parameter = value(self);
            let name = Symbol::new(&format!("is#{}", constructor.name));
            let kind = FunctionKind::Tester(datatype, n);
            let tester = self.new_function(name, span, kind, types, vec![parameter], bool);
            self.name_function(tester);
            testers.push(tester);
            selectors.push(fields);
        }
        self.unit.datatypes.push(Datatype { constructors, selectors, testers });
    }

    pub(super) fn declare_procedures(&mut self) {
        let tree = self.tree;
        for declaration in &tree.declarations {
            let DeclarationKind::Procedure(written) = &declaration.kind else { continue };
            let signature = &written.signature;
            let type_parameters = self.bring_type_parameters(&signature.type_parameters);
            let (parameters, results) = self.signature(signature);
            self.type_scope.clear();
            for (ty, name) in type_parameters.iter().zip(&signature.type_parameters) {
                let mut variables = parameters.iter().chain(&results);
                if !variables.any(|v| self.unit.types.mentions(self.unit.variable(*v).ty, *ty)) {
                    self.error(name.span, format!("no parameter or result has `{}` in its type", name.text));
                }
            }
            let mut modifies = Vec::new();
            for name in &written.modifies {
                match self.globals.get(&name.text) {
                    Some(global) => modifies.push(*global),
                    None => self.error(name.span, format!("there is no global variable `{}`", name.text)),
                }
            }
            modifies.sort();
            modifies.dedup();
            let (name, span) = super::written_name(&signature.name);
            let id = ProcedureId(self.unit.procedures.len() as u32);
            self.unit.procedures.push(Procedure {
                name,
                span,
                entry: match (declaration.attributes.has("entrypoint"), &written.body) {
                    (false, _) => Entry::No,
                    (true, None) => Entry::Declaration,
                    (true, Some(_)) => Entry::Implementation,
                },
                type_parameters,
                parameters,
                results,
                requires: Vec::new(),
                ensures: Vec::new(),
                modifies,
                implementations: Vec::new(),
            });
            if let Some(first) = self.procedures.insert(name, id) {
                let first = self.unit.procedure(first).span;
                self.twice(name, span, first);
            }
        }
    }

    fn signature(&mut self, signature: &syntax::Signature) -> (Vec<VarId>, Vec<VarId>) {
        let declare = |checker: &mut Self, list: &[syntax::Variable], kind| -> Vec<VarId> {
            list.iter().map(|v| checker.declare_variable(v, kind)).collect()
        };
        let parameters = declare(self, &signature.parameters, VariableKind::Parameter);
        (parameters, declare(self, &signature.results, VariableKind::Result))
    }

    pub(super) fn check_bodies(&mut self) {
        let tree = self.tree;
        for global in self.unit.globals.clone() {
            if let Some(condition) = self.unit.variable(global).condition {
                self.condition(condition);
            }
        }
        for (n, function) in self.unit.functions.clone().into_iter().enumerate() {
            let Some(body) = function.body else { continue };
            for ty in &function.type_parameters {
                if let TypeData::Parameter(_, name) = *self.unit.types.data(*ty) {
                    self.type_scope.push((name, *ty));
                }
            }
            self.scopes.push(Default::default());
            function.parameters.iter().for_each(|p| self.bring(*p));
            let result = self.unit.functions[n].result;
            self.expect(body, result);
            self.scopes.pop();
            self.type_scope.clear();
        }
        let mut next = 0;
        for declaration in &tree.declarations {
            match &declaration.kind {
                DeclarationKind::Axiom(axiom) => {
                    self.condition(*axiom);
                    self.unit.axioms.push(*axiom);
                }
                DeclarationKind::Procedure(written) => {
                    self.procedure(ProcedureId(next), written);
                    next += 1;
                }
                DeclarationKind::Implementation(written) => {
                    self.implementation(written, declaration.attributes.has("entrypoint"));
                }
                _ => {}
            }
        }
    }

    /// Brings the parameters and results of a procedure into a new scope, with its type parameters.
    fn enter(&mut self, types: &[Type], variables: &[VarId]) {
        for ty in types {
            if let TypeData::Parameter(_, name) = *self.unit.types.data(*ty) {
                self.type_scope.push((name, *ty));
            }
        }
        self.scopes.push(Default::default());
        variables.iter().for_each(|v| self.bring(*v));
        for variable in variables {
            if let Some(condition) = self.unit.variable(*variable).condition {
                self.condition(condition);
            }
        }
    }

    fn leave(&mut self) {
        self.scopes.pop();
        self.type_scope.clear();
        self.modifies = None;
        self.has_earlier_state = false;
    }

    fn procedure(&mut self, id: ProcedureId, written: &syntax::Procedure) {
        let info = self.unit.procedure(id);
        let (name, types, allowed) = (info.name, info.type_parameters.clone(), info.modifies.iter().copied().collect());
        let (parameters, results) = (info.parameters.clone(), info.results.clone());
        let variables: Vec<VarId> = parameters.iter().chain(&results).copied().collect();
        self.enter(&types, &variables);
        let requires = self.clauses(&written.requires);
        self.has_earlier_state = true;
        let ensures = self.clauses(&written.ensures);
        let procedure = &mut self.unit.procedures[id.0 as usize];
        (procedure.requires, procedure.ensures) = (requires, ensures);
        if let Some(body) = &written.body {
            self.modifies = Some(Modifies { procedure: name, allowed });
            let body = self.body(body);
            let implementation = Implementation { parameters, results, type_parameters: types, body };
            self.unit.procedures[id.0 as usize].implementations.push(implementation.into());
        }
        self.leave();
    }

    fn implementation(&mut self, written: &syntax::Implementation, is_entry: bool) {
        let signature = &written.signature;
        let name = &signature.name;
        let Some(&id) = self.procedures.get(&name.text) else {
            self.error(name.span, format!("there is no procedure `{}`", name.text));
            return;
        };
        let types = self.bring_type_parameters(&signature.type_parameters);
        let (parameters, results) = self.signature(signature);
        self.type_scope.clear();
        let procedure = self.unit.procedure(id);
        let (allowed, declared) = (procedure.modifies.iter().copied().collect(), procedure.span);
        let expected: Vec<VarId> = procedure.parameters.iter().chain(&procedure.results).copied().collect();
        let of_procedure = procedure.type_parameters.clone();
        let found: Vec<VarId> = parameters.iter().chain(&results).copied().collect();
        let is_same = procedure.parameters.len() == parameters.len()
            && procedure.results.len() == results.len()
            && of_procedure.len() == types.len();
        let fits = is_same
            && expected.iter().zip(&found).all(|(e, f)| {
                let (e, f) = (self.unit.variable(*e).ty, self.unit.variable(*f).ty);
                let e = self.unit.types.substitute(e, &of_procedure, &types);
                self.unit.types.unify(e, f)
            });
        if !fits {
            let message = format!("the implementation's parameters and results are not those of `{}`", name.text);
            self.report(Diagnostic::error(name.span, message).secondary(declared, "declared here"));
            return;
        }
        self.refuse_where(&signature.parameters, "the implementation's name for a parameter");
        self.refuse_where(&signature.results, "the implementation's name for a result");
        self.enter(&types, &found);
        self.has_earlier_state = true;
        self.modifies = Some(Modifies { procedure: name.text, allowed });
        let body = self.body(&written.body);
        self.leave();
        let implementation = Implementation { parameters, results, type_parameters: types, body };
        let procedure = &mut self.unit.procedures[id.0 as usize];
        procedure.implementations.push(implementation.into());
        if is_entry {
            procedure.entry = Entry::Implementation;
        }
    }
}

/// What attributes say about a function or constant.
fn outside(tree: &Tree, attributes: &Attributes) -> Outside {
    if attributes.has("existential") {
        return Outside::Candidate;
    }
    if attributes.has("overapproximation") {
        return Outside::Unsupported("a function that overapproximates another");
    }
    if attributes.has("const_array") {
        return Outside::Unsupported("a function that is a constant array");
    }
    if let Some(term) = attributes.text("smtdefined") {
        return Outside::Defined(term);
    }
    let Some(name) = attributes.text("builtin").or(attributes.text("bvbuiltin")) else { return Outside::Nothing };
    let Some(indices) = attributes.find("indices") else { return Outside::Builtin(name) };
    // The numbers of an indexed operation may stand in an attribute of their own.
    let mut text = format!("(_ {name}");
    for index in &indices.arguments {
        match index {
            Argument::Expr(expr) => match &tree[*expr].kind {
                ExprKind::Integer(number) => text += &format!(" {number}"),
                _ => return Outside::Unsupported("an index that is no number"),
            },
            Argument::Text(_) => return Outside::Unsupported("an index that is no number"),
        }
    }
    Outside::Builtin(Symbol::new(&(text + ")")))
}
