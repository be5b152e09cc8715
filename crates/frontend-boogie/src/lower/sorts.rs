//! Types to sorts. A map from several indices is a map from the first to a map from the others.

use super::context::{Lowered, Lowering, TypeArguments};
use crate::check::types::{Type, TypeData};
use source::Span;
use term::{FloatFormat, MAX_WIDTH, Sort, SortKind};

/// Sorts may be nested this deep: what the textual form of programs can say.
const MAX_DEPTH: u32 = 100;

impl Lowering<'_> {
    /// The type with everything known put in.
    pub fn ground(&mut self, ty: Type, arguments: &TypeArguments) -> Type {
        let ty = self.types.substitute(ty, &arguments.parameters, &arguments.arguments);
        self.types.resolve(ty)
    }

    pub fn ground_all(&mut self, types: &[Type], arguments: &TypeArguments) -> Vec<Type> {
        types.iter().map(|ty| self.ground(*ty, arguments)).collect()
    }

    /// The sort of a type, needed at a place.
    pub fn sort(&mut self, ty: Type, arguments: &TypeArguments, span: Span) -> Lowered<Sort> {
        let ty = self.ground(ty, arguments);
        Ok(self.ground_sort(ty, span)?.0)
    }

    /// The sort of a type without parameters, and how deep it is nested.
    fn ground_sort(&mut self, ty: Type, span: Span) -> Lowered<(Sort, u32)> {
        if let Some(known) = self.sorts.get(&ty) {
            return Ok(*known);
        }
        let (sort, depth) = match self.types.data(ty).clone() {
            TypeData::Bool => (Sort::bool(), 1),
            TypeData::Int => (Sort::int(), 1),
            TypeData::Real => (Sort::real(), 1),
            TypeData::Bv(width) if (1..=MAX_WIDTH).contains(&width) => (Sort::bv(width), 1),
            TypeData::Bv(width) => return self.refuse(format!("bit-vectors of {width} bits"), span),
            TypeData::Float(significand, exponent) => {
                let format = FloatFormat { exponent, significand };
                if !format.is_supported() {
                    return self.refuse(format!("the type {}", self.types.show(ty)), span);
                }
                (Sort::float(format), 1)
            }
            TypeData::Named(name, _) if self.unit.foreign_types.contains(&name) => {
                return self.refuse(format!("the builtin type {name}"), span);
            }
            TypeData::Named(name, arguments) => {
                let mut sorts = Vec::new();
                let mut depth = 0;
                for argument in arguments {
                    let (sort, inner) = self.ground_sort(argument, span)?;
                    sorts.push(sort);
                    depth = depth.max(inner);
                }
                (Sort::new(SortKind::Uninterpreted(name, sorts)), depth + 1)
            }
            TypeData::Map { parameters: 0, domain, range } => {
                let (mut sort, mut depth) = self.ground_sort(range, span)?;
                for index in domain.into_iter().rev() {
                    let (index, inner) = self.ground_sort(index, span)?;
                    sort = Sort::array(index, sort);
                    depth = depth.max(inner) + 1;
                }
                (sort, depth)
            }
            TypeData::Map { .. } => {
                return self.refuse(format!("a map with type parameters: {}", self.types.show(ty)), span);
            }
            TypeData::Parameter(..) | TypeData::Bound(..) => {
                return self.refuse(format!("a value of any type: {}", self.types.show(ty)), span);
            }
            TypeData::Infer(_) => return self.refuse("a value whose type nothing determines", span),
        };
        if depth > MAX_DEPTH {
            return self.refuse("a type that is nested too deeply", span);
        }
        self.sorts.insert(ty, (sort, depth));
        Ok((sort, depth))
    }
}
