//! Written types to types: synonyms are expanded, parameters resolved.

use super::Checker;
use super::types::{Type, TypeData};
use crate::syntax::{Name, TypeKind, TypeRef, deep};
use source::Diagnostic;

/// Synonyms may refer to synonyms this often: more can only be a circle.
const MAX_SYNONYMS: u32 = 200;

impl Checker<'_> {
    pub(super) fn written_type(&mut self, written: TypeRef) -> Type {
        deep(|| self.written_type_inside(written))
    }

    fn written_type_inside(&mut self, written: TypeRef) -> Type {
        let tree = self.tree;
        let span = tree[written].span;
        match &tree[written].kind {
            TypeKind::Bool => self.unit.types.bool(),
            TypeKind::Int => self.unit.types.int(),
            TypeKind::Real => self.unit.types.real(),
            TypeKind::Bv(width) => self.unit.types.add(TypeData::Bv(*width)),
            TypeKind::Float(significand, exponent) => self.unit.types.add(TypeData::Float(*significand, *exponent)),
            TypeKind::Map { parameters, domain, range } => {
                let outside = self.type_scope.len();
                for (n, name) in parameters.iter().enumerate() {
                    let bound = self.unit.types.add(TypeData::Bound(self.map_depth, n as u32));
                    self.type_scope.push((name.text, bound));
                }
                self.map_depth += u32::from(!parameters.is_empty());
                let domain: Vec<Type> = domain.iter().map(|d| self.written_type(*d)).collect();
                let range = self.written_type(*range);
                self.every_parameter_occurs(parameters, &domain, range);
                self.map_depth -= u32::from(!parameters.is_empty());
                self.type_scope.truncate(outside);
                self.unit.types.add(TypeData::Map { parameters: parameters.len() as u32, domain, range })
            }
            TypeKind::Named(name, arguments) => {
                if let Some((_, ty)) = self.type_scope.iter().rev().find(|(known, _)| *known == name.text) {
                    let ty = *ty;
                    if !arguments.is_empty() {
                        self.error(span, format!("the type parameter `{}` takes no arguments", name.text));
                    }
                    return ty;
                }
                let arguments: Vec<Type> = arguments.iter().map(|a| self.written_type(*a)).collect();
                self.named_type(name, arguments)
            }
        }
    }

    /// A type parameter that a map binds occurs in its type.
    fn every_parameter_occurs(&mut self, parameters: &[Name], domain: &[Type], range: Type) {
        for (n, name) in parameters.iter().enumerate() {
            let own = self.unit.types.add(TypeData::Bound(self.map_depth - 1, n as u32));
            if !domain.iter().chain([&range]).any(|ty| self.unit.types.mentions(*ty, own)) {
                self.error(name.span, format!("the map does not mention its type parameter `{}`", name.text));
            }
        }
    }

    fn named_type(&mut self, name: &Name, arguments: Vec<Type>) -> Type {
        let Some(declared) = self.type_names.get(&name.text).cloned() else {
            self.error(name.span, format!("there is no type `{}`", name.text));
            return self.unit.types.infer();
        };
        if declared.parameters.len() != arguments.len() {
            let (expected, found) = (declared.parameters.len(), arguments.len());
            let message = format!("the type `{}` takes {expected} arguments, found {found}", name.text);
            self.report(Diagnostic::error(name.span, message).secondary(declared.span, "declared here"));
            return self.unit.types.infer();
        }
        let Some(synonym) = declared.synonym else {
            return self.unit.types.add(TypeData::Named(name.text, arguments));
        };
        if self.synonym_depth >= MAX_SYNONYMS {
            self.error(declared.span, format!("the type `{}` stands for itself", name.text));
            return self.unit.types.infer();
        }
        // Inside, only the synonym's own parameters are known.
        let inside = declared.parameters.iter().map(|p| p.text).zip(arguments).collect();
        let outside = std::mem::replace(&mut self.type_scope, inside);
        self.synonym_depth += 1;
        let ty = self.written_type(synonym);
        self.synonym_depth -= 1;
        self.type_scope = outside;
        ty
    }

    /// Brings type parameters into scope; whoever does so cuts the scope again.
    pub(super) fn bring_type_parameters(&mut self, names: &[Name]) -> Vec<Type> {
        let bring = |name: &Name| {
            let ty = self.unit.types.parameter(name.text);
            self.type_scope.push((name.text, ty));
            ty
        };
        names.iter().map(bring).collect()
    }
}
