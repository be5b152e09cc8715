//! The types of expressions.

use super::Checker;
use super::types::{Type, TypeData};
use crate::hir::*;
use crate::syntax::{BinaryOp, Binder, ExprId, ExprKind, Name, Quantified, UnaryOp, deep};
use source::{Diagnostic, Span};

impl Checker<'_> {
    /// Finds out the type of an expression.
    pub(super) fn infer(&mut self, expr: ExprId) -> Type {
        let ty = deep(|| self.infer_kind(expr));
        self.unit.expr_types[expr.0 as usize] = ty;
        ty
    }

    /// Checks that an expression has a type.
    pub(super) fn expect(&mut self, expr: ExprId, expected: Type) {
        let found = self.infer(expr);
        self.must_be(self.tree[expr].span, expected, found);
    }

    pub(super) fn condition(&mut self, expr: ExprId) {
        let bool = self.unit.types.bool();
        self.expect(expr, bool);
    }

    pub(super) fn must_be(&mut self, span: Span, expected: Type, found: Type) {
        if !self.unit.types.unify(expected, found) {
            let (expected, found) = (self.unit.types.show(expected), self.unit.types.show(found));
            let message = format!("expected a value of type {expected}, found one of type {found}");
            self.report(Diagnostic::error(span, message).label(format!("of type {found}")));
        }
    }

    fn infer_kind(&mut self, expr: ExprId) -> Type {
        let tree = self.tree;
        let span = tree[expr].span;
        match &tree[expr].kind {
            ExprKind::Bool(_) => self.unit.types.bool(),
            ExprKind::Integer(_) => self.unit.types.int(),
            ExprKind::Real(_) => self.unit.types.real(),
            ExprKind::BitVector(text) => {
                let width = text.as_str().split_once("bv").and_then(|(_, width)| width.parse().ok());
                self.unit.types.add(TypeData::Bv(width.unwrap_or(u32::MAX)))
            }
            ExprKind::Float(text) => {
                let (significand, exponent) = crate::lower::float_format(text.as_str());
                if !crate::lower::is_float(text.as_str()) {
                    self.error(span, "there is no such floating-point number");
                }
                self.unit.types.add(TypeData::Float(significand, exponent))
            }
            ExprKind::Name(name) => match self.find_value(name.text) {
                Some((meaning, ty)) => {
                    self.unit.meanings.insert(expr, meaning);
                    ty
                }
                None => {
                    self.error(name.span, format!("there is no variable or constant `{}`", name.text));
                    self.unit.types.infer()
                }
            },
            ExprKind::Apply(name, arguments) => self.application(expr, name, arguments),
            ExprKind::Unary(UnaryOp::Not, operand) => {
                self.condition(*operand);
                self.unit.types.bool()
            }
            ExprKind::Unary(UnaryOp::Minus, operand) => {
                let ty = self.infer(*operand);
                self.numeric(ty, tree[*operand].span);
                ty
            }
            ExprKind::Binary(op, left, right) => self.binary(expr, *op, *left, *right),
            ExprKind::If(condition, then, other) => {
                self.condition(*condition);
                let ty = self.infer(*then);
                self.expect(*other, ty);
                ty
            }
            ExprKind::Old(operand) => {
                if !self.has_earlier_state {
                    self.error(span, "there is no earlier state here that `old` could mean");
                }
                self.infer(*operand)
            }
            ExprKind::ToInt(operand) => {
                let real = self.unit.types.real();
                let ty = self.infer(*operand);
                if !matches!(self.unit.types.data(ty), TypeData::Int) {
                    self.must_be(tree[*operand].span, real, ty);
                }
                self.unit.types.int()
            }
            ExprKind::ToReal(operand) => {
                let int = self.unit.types.int();
                let ty = self.infer(*operand);
                if !matches!(self.unit.types.data(ty), TypeData::Real) {
                    self.must_be(tree[*operand].span, int, ty);
                }
                self.unit.types.real()
            }
            ExprKind::Select(map, indices) => {
                let ty = self.infer(*map);
                self.indexed(ty, indices, tree[*map].span)
            }
            ExprKind::Store(map, indices, value) => {
                let ty = self.infer(*map);
                let range = self.indexed(ty, indices, tree[*map].span);
                self.expect(*value, range);
                ty
            }
            ExprKind::Extract { operand, high, low } => {
                let ty = self.infer(*operand);
                match *self.unit.types.data(ty) {
                    TypeData::Bv(width) if *low <= *high && *high <= width => {}
                    TypeData::Bv(width) => {
                        self.error(span, format!("bits {low} to {high} do not lie in a vector of {width} bits"));
                    }
                    TypeData::Infer(_) => {}
                    _ => {
                        let message =
                            format!("expected a bit-vector, found a value of type {}", self.unit.types.show(ty));
                        self.error(tree[*operand].span, message);
                    }
                }
                self.unit.types.add(TypeData::Bv(high.saturating_sub(*low)))
            }
            ExprKind::Coerce(operand, written) => {
                let ty = self.written_type(*written);
                self.expect(*operand, ty);
                ty
            }
            ExprKind::Quantified(quantified) => self.quantified(expr, quantified),
            ExprKind::Let(names, values, body) => self.let_expression(expr, names, values, *body),
            ExprKind::Code(body) => {
                self.scopes.push(Default::default());
                let body = self.body(body);
                self.scopes.pop();
                self.unit.code.insert(expr, body.into());
                self.unit.types.bool()
            }
            ExprKind::Is(operand, constructor) => {
                let ty = self.infer(*operand);
                self.tester(expr, constructor, ty, tree[*operand].span);
                self.unit.types.bool()
            }
            ExprKind::Field(operand, field) => {
                let ty = self.infer(*operand);
                match self.field(ty, field) {
                    Some((selector, types, result)) => {
                        self.unit.meanings.insert(expr, Meaning::Function(selector, types));
                        result
                    }
                    None => self.unit.types.infer(),
                }
            }
            ExprKind::WithField(operand, field, value) => {
                let ty = self.infer(*operand);
                if let Some((selector, types, result)) = self.field(ty, field) {
                    self.expect(*value, result);
                    self.unit.meanings.insert(expr, Meaning::Function(selector, types));
                }
                ty
            }
        }
    }

    fn application(&mut self, expr: ExprId, name: &Name, arguments: &[ExprId]) -> Type {
        let Some(&function) = self.functions.get(&name.text) else {
            self.error(name.span, format!("there is no function `{}`", name.text));
            arguments.iter().for_each(|a| {
                self.infer(*a);
            });
            return self.unit.types.infer();
        };
        let info = self.unit.function(function).clone();
        let types: Vec<Type> = info.type_parameters.iter().map(|_| self.unit.types.infer()).collect();
        if info.parameters.len() != arguments.len() {
            let (expected, found) = (info.parameters.len(), arguments.len());
            let message = format!("`{}` takes {expected} arguments, found {found}", name.text);
            self.report(Diagnostic::error(name.span, message).secondary(info.span, "declared here"));
            arguments.iter().for_each(|a| {
                self.infer(*a);
            });
        } else {
            for (argument, parameter) in arguments.iter().zip(&info.parameters) {
                let ty = self.unit.variable(*parameter).ty;
                let ty = self.unit.types.substitute(ty, &info.type_parameters, &types);
                self.expect(*argument, ty);
            }
        }
        let result = self.unit.types.substitute(info.result, &info.type_parameters, &types);
        self.unit.meanings.insert(expr, Meaning::Function(function, types));
        result
    }

    /// Checks that a type has arithmetic; one that is not yet known is left so.
    fn numeric(&mut self, ty: Type, span: Span) {
        match self.unit.types.data(ty) {
            TypeData::Int | TypeData::Real | TypeData::Float(..) | TypeData::Infer(_) => {}
            _ => {
                let found = self.unit.types.show(ty);
                let message = format!("expected a number, found a value of type {found}");
                self.report(Diagnostic::error(span, message).label(format!("of type {found}")));
            }
        }
    }

    fn binary(&mut self, expr: ExprId, op: BinaryOp, left: ExprId, right: ExprId) -> Type {
        use BinaryOp::*;
        let (bool, int) = (self.unit.types.bool(), self.unit.types.int());
        match op {
            Iff | Implies | Explies | And | Or => {
                self.condition(left);
                self.condition(right);
                bool
            }
            Eq | Ne => {
                let (a, b) = (self.infer(left), self.infer(right));
                // Values of two types can be compared if the types can be the same for some type arguments.
                if !self.unit.types.unify(a, b) && !self.unit.types.may_be_same(a, b) {
                    self.must_be(self.tree[right].span, a, b);
                }
                bool
            }
            Extends => {
                let ty = self.infer(left);
                self.expect(right, ty);
                bool
            }
            Less | LessEq | Greater | GreaterEq => {
                let ty = self.infer(left);
                self.numeric(ty, self.tree[left].span);
                self.expect(right, ty);
                bool
            }
            Add | Sub | Mul | Power => {
                let ty = self.infer(left);
                self.numeric(ty, self.tree[left].span);
                self.expect(right, ty);
                ty
            }
            Div | Mod => {
                self.expect(left, int);
                self.expect(right, int);
                int
            }
            Slash => {
                let ty = self.infer(left);
                self.numeric(ty, self.tree[left].span);
                let other = self.infer(right);
                self.numeric(other, self.tree[right].span);
                match (self.unit.types.data(ty), self.unit.types.data(other)) {
                    (TypeData::Int, TypeData::Int) => {
                        let quotient = self.unit.types.infer();
                        self.divisions.push((expr, quotient));
                        quotient
                    }
                    // Boogie turns integers beside `/` into reals.
                    (TypeData::Int, TypeData::Real) => other,
                    (TypeData::Real, TypeData::Int) => ty,
                    _ => {
                        self.must_be(self.tree[right].span, ty, other);
                        ty
                    }
                }
            }
            Concat => {
                let (a, b) = (self.infer(left), self.infer(right));
                match (self.unit.types.data(a), self.unit.types.data(b)) {
                    (TypeData::Bv(m), TypeData::Bv(n)) => {
                        let width = m.saturating_add(*n);
                        self.unit.types.add(TypeData::Bv(width))
                    }
                    (TypeData::Infer(_), _) | (_, TypeData::Infer(_)) => self.unit.types.infer(),
                    _ => {
                        let found = format!("{} and {}", self.unit.types.show(a), self.unit.types.show(b));
                        self.error(
                            self.tree[expr].span,
                            format!("expected two bit-vectors, found values of types {found}"),
                        );
                        self.unit.types.infer()
                    }
                }
            }
        }
    }

    /// Checks the indices of a map, and gives the type of the element.
    pub(super) fn indexed(&mut self, map: Type, indices: &[ExprId], span: Span) -> Type {
        let (parameters, domain, range) = match self.unit.types.data(map).clone() {
            TypeData::Map { parameters, domain, range } => (parameters, domain, range),
            TypeData::Infer(_) => {
                indices.iter().for_each(|i| {
                    self.infer(*i);
                });
                return self.unit.types.infer();
            }
            _ => {
                let found = self.unit.types.show(map);
                self.report(
                    Diagnostic::error(span, format!("expected a map, found a value of type {found}"))
                        .label(format!("of type {found}")),
                );
                return self.unit.types.infer();
            }
        };
        if domain.len() != indices.len() {
            let message = format!("the map takes {} indices, found {}", domain.len(), indices.len());
            self.error(span, message);
            return self.unit.types.infer();
        }
        let fresh: Vec<Type> = (0..parameters).map(|_| self.unit.types.infer()).collect();
        // The map's own parameters are those of the outermost binding map here.
        let own = |data: &TypeData| match data {
            TypeData::Bound(0, n) => fresh.get(*n as usize).copied(),
            _ => None,
        };
        for (index, ty) in indices.iter().zip(domain) {
            let ty = self.unit.types.replace(ty, &own);
            self.expect(*index, ty);
        }
        self.unit.types.replace(range, &own)
    }

    fn quantified(&mut self, expr: ExprId, quantified: &Quantified) -> Type {
        let outside = self.type_scope.len();
        let parameters = self.bring_type_parameters(&quantified.type_parameters);
        self.scopes.push(Default::default());
        let bound: Vec<VarId> =
            quantified.bound.iter().map(|v| self.declare_variable(v, VariableKind::Bound)).collect();
        bound.iter().for_each(|v| self.bring(*v));
        self.refuse_where(&quantified.bound, "a bound variable");
        for trigger in quantified.triggers.iter().flatten() {
            self.infer(*trigger);
        }
        let ty = if quantified.binder == Binder::Lambda {
            let range = self.infer(quantified.body);
            let domain = bound.iter().map(|v| self.unit.variable(*v).ty).collect();
            self.polymorphic(&parameters, domain, range)
        } else {
            self.condition(quantified.body);
            self.unit.types.bool()
        };
        self.unit.bound.insert(expr, bound);
        self.scopes.pop();
        self.type_scope.truncate(outside);
        ty
    }

    /// The type of a lambda that binds type parameters.
    fn polymorphic(&mut self, parameters: &[Type], domain: Vec<Type>, range: Type) -> Type {
        let known: Vec<TypeData> = parameters.iter().map(|p| self.unit.types.data(*p).clone()).collect();
        let own: Vec<Type> =
            (0..known.len() as u32).map(|n| self.unit.types.add(TypeData::Bound(self.map_depth, n))).collect();
        let bind = |data: &TypeData| known.iter().position(|p| p == data).map(|n| own[n]);
        let domain = domain.into_iter().map(|ty| self.unit.types.replace(ty, &bind)).collect();
        let range = self.unit.types.replace(range, &bind);
        self.unit.types.add(TypeData::Map { parameters: known.len() as u32, domain, range })
    }

    fn let_expression(&mut self, expr: ExprId, names: &[Name], values: &[ExprId], body: ExprId) -> Type {
        if names.len() != values.len() {
            let message = format!("there are {} names, but {} values", names.len(), values.len());
            self.error(self.tree[expr].span, message);
        }
        let types: Vec<Type> = values.iter().map(|value| self.infer(*value)).collect();
        self.scopes.push(Default::default());
        let mut bound = Vec::new();
        for (name, ty) in names.iter().zip(types) {
            let (name, span) = (name.text, name.span);
            let kind = VariableKind::Bound;
            let variable = Variable { name, ty, kind, condition: None, thread_local: false, span };
            let variable = self.new_variable(variable);
            self.bring(variable);
            bound.push(variable);
        }
        let ty = self.infer(body);
        self.scopes.pop();
        self.unit.bound.insert(expr, bound);
        ty
    }

    fn tester(&mut self, expr: ExprId, constructor: &Name, ty: Type, span: Span) {
        let function = self.functions.get(&constructor.text).map(|id| (*id, self.unit.function(*id).clone()));
        let Some((_, Function { kind: FunctionKind::Constructor(datatype, n), type_parameters, result, .. })) =
            function
        else {
            self.error(constructor.span, format!("there is no constructor `{}`", constructor.text));
            return;
        };
        let types: Vec<Type> = type_parameters.iter().map(|_| self.unit.types.infer()).collect();
        let result = self.unit.types.substitute(result, &type_parameters, &types);
        self.must_be(span, result, ty);
        let tester = self.unit.datatypes[datatype].testers[n];
        self.unit.meanings.insert(expr, Meaning::Function(tester, types));
    }

    /// The selector of a field of a datatype, the datatype's arguments, and the field's type.
    pub(super) fn field(&mut self, ty: Type, field: &Name) -> Option<(FunctionId, Vec<Type>, Type)> {
        let TypeData::Named(name, arguments) = self.unit.types.data(ty).clone() else {
            let found = self.unit.types.show(ty);
            self.error(field.span, format!("expected a value of a datatype, found one of type {found}"));
            return None;
        };
        let selectors = self.unit.datatypes.iter().flat_map(|d| d.selectors.iter().flatten());
        let found = selectors.copied().find(|s| {
            let selector = self.unit.function(*s);
            let of = self.unit.variable(selector.parameters[0]).ty;
            let is_of = matches!(self.unit.types.data(of), TypeData::Named(n, _) if *n == name);
            is_of && selector.name.as_str().split('#').next() == Some(field.text.as_str())
        });
        let Some(selector) = found else {
            self.error(field.span, format!("the type `{name}` has no field `{}`", field.text));
            return None;
        };
        let info = self.unit.function(selector).clone();
        let result = self.unit.types.substitute(info.result, &info.type_parameters, &arguments);
        Some((selector, arguments, result))
    }
}
