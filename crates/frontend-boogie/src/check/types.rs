//! Types as the checker knows them: interned, with variables that unification binds.

use rustc_hash::FxHashMap;
use source::Symbol;

/// An interned type. What a type variable stands for is known to its [`Types`] alone: see [`Types::resolve`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Type(u32);

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum TypeData {
    Bool,
    Int,
    Real,
    Bv(u32),
    /// Widths of significand and exponent.
    Float(u32, u32),
    Named(Symbol, Vec<Type>),
    /// The map binds this many type parameters.
    Map {
        parameters: u32,
        domain: Vec<Type>,
        range: Type,
    },
    /// A type parameter of a declaration or quantifier: each has its number.
    Parameter(u32, Symbol),
    /// A type parameter that a map type binds: how many binding maps are around that map, and which of its own it is.
    Bound(u32, u32),
    /// A type that is yet to be found out.
    Infer(u32),
}

/// All types of one program.
#[derive(Default, Debug)]
pub struct Types {
    data: Vec<TypeData>,
    index: FxHashMap<TypeData, Type>,
    bindings: Vec<Option<Type>>,
    parameters: u32,
}

impl Types {
    pub fn add(&mut self, data: TypeData) -> Type {
        if let Some(known) = self.index.get(&data) {
            return *known;
        }
        let id = Type(self.data.len() as u32);
        self.data.push(data.clone());
        self.index.insert(data, id);
        id
    }

    pub fn bool(&mut self) -> Type {
        self.add(TypeData::Bool)
    }

    pub fn int(&mut self) -> Type {
        self.add(TypeData::Int)
    }

    pub fn real(&mut self) -> Type {
        self.add(TypeData::Real)
    }

    /// A new type variable.
    pub fn infer(&mut self) -> Type {
        self.bindings.push(None);
        self.add(TypeData::Infer(self.bindings.len() as u32 - 1))
    }

    /// A new type parameter.
    pub fn parameter(&mut self, name: Symbol) -> Type {
        self.parameters += 1;
        self.add(TypeData::Parameter(self.parameters, name))
    }

    /// What a type is at its outside, as far as that is known.
    pub fn data(&self, ty: Type) -> &TypeData {
        &self.data[self.shallow(ty).0 as usize]
    }

    fn shallow(&self, mut ty: Type) -> Type {
        while let TypeData::Infer(n) = self.data[ty.0 as usize]
            && let Some(bound) = self.bindings[n as usize]
        {
            ty = bound;
        }
        ty
    }

    /// The type with everything in it that is known.
    pub fn resolve(&mut self, ty: Type) -> Type {
        let ty = self.shallow(ty);
        match self.data[ty.0 as usize].clone() {
            TypeData::Named(name, arguments) if !arguments.is_empty() => {
                let arguments = arguments.into_iter().map(|a| self.resolve(a)).collect();
                self.add(TypeData::Named(name, arguments))
            }
            TypeData::Map { parameters, domain, range } => {
                let domain = domain.into_iter().map(|d| self.resolve(d)).collect();
                let range = self.resolve(range);
                self.add(TypeData::Map { parameters, domain, range })
            }
            _ => ty,
        }
    }

    /// The type with each part for which `replacement` has another replaced by that.
    pub fn replace(&mut self, ty: Type, replacement: &dyn Fn(&TypeData) -> Option<Type>) -> Type {
        let ty = self.shallow(ty);
        let data = self.data[ty.0 as usize].clone();
        if let Some(new) = replacement(&data) {
            return new;
        }
        match data {
            TypeData::Named(name, arguments) if !arguments.is_empty() => {
                let arguments = arguments.into_iter().map(|a| self.replace(a, replacement)).collect();
                self.add(TypeData::Named(name, arguments))
            }
            TypeData::Map { parameters, domain, range } => {
                let domain = domain.into_iter().map(|d| self.replace(d, replacement)).collect();
                let range = self.replace(range, replacement);
                self.add(TypeData::Map { parameters, domain, range })
            }
            _ => ty,
        }
    }

    /// The type with type parameters replaced by types.
    pub fn substitute(&mut self, ty: Type, parameters: &[Type], arguments: &[Type]) -> Type {
        if parameters.is_empty() {
            return ty;
        }
        let parameters: Vec<TypeData> = parameters.iter().map(|p| self.data(*p).clone()).collect();
        self.replace(ty, &|data| parameters.iter().position(|p| p == data).map(|i| arguments[i]))
    }

    /// Makes two types equal if they can be.
    pub fn unify(&mut self, a: Type, b: Type) -> bool {
        let (a, b) = (self.shallow(a), self.shallow(b));
        if a == b {
            return true;
        }
        match (self.data[a.0 as usize].clone(), self.data[b.0 as usize].clone()) {
            (TypeData::Infer(n), _) => self.bind(n, b),
            (_, TypeData::Infer(n)) => self.bind(n, a),
            (TypeData::Named(f, xs), TypeData::Named(g, ys)) => {
                f == g && xs.len() == ys.len() && xs.into_iter().zip(ys).all(|(x, y)| self.unify(x, y))
            }
            (
                TypeData::Map { parameters: p, domain: xs, range: x },
                TypeData::Map { parameters: q, domain: ys, range: y },
            ) => {
                p == q
                    && xs.len() == ys.len()
                    && xs.into_iter().zip(ys).all(|(x, y)| self.unify(x, y))
                    && self.unify(x, y)
            }
            _ => false,
        }
    }

    /// Whether two types are the same for some type arguments. Repeated parameters count as different ones.
    pub fn may_be_same(&self, a: Type, b: Type) -> bool {
        match (self.data(a), self.data(b)) {
            (TypeData::Parameter(..) | TypeData::Infer(_), _) | (_, TypeData::Parameter(..) | TypeData::Infer(_)) => {
                true
            }
            (TypeData::Named(f, xs), TypeData::Named(g, ys)) => {
                f == g && xs.len() == ys.len() && xs.iter().zip(ys).all(|(x, y)| self.may_be_same(*x, *y))
            }
            (
                TypeData::Map { parameters: p, domain: xs, range: x },
                TypeData::Map { parameters: q, domain: ys, range: y },
            ) => {
                p == q
                    && xs.len() == ys.len()
                    && xs.iter().zip(ys).all(|(x, y)| self.may_be_same(*x, *y))
                    && self.may_be_same(*x, *y)
            }
            (x, y) => x == y,
        }
    }

    /// Whether a type mentions another.
    pub fn mentions(&self, ty: Type, other: Type) -> bool {
        if self.data(ty) == self.data(other) {
            return true;
        }
        match self.data(ty) {
            TypeData::Named(_, arguments) => arguments.iter().any(|a| self.mentions(*a, other)),
            TypeData::Map { domain, range, .. } => {
                domain.iter().any(|d| self.mentions(*d, other)) || self.mentions(*range, other)
            }
            _ => false,
        }
    }

    fn bind(&mut self, n: u32, ty: Type) -> bool {
        if self.occurs(n, ty) {
            return false;
        }
        self.bindings[n as usize] = Some(ty);
        true
    }

    fn occurs(&self, n: u32, ty: Type) -> bool {
        match self.data(ty) {
            TypeData::Infer(m) => n == *m,
            TypeData::Named(_, arguments) => arguments.iter().any(|a| self.occurs(n, *a)),
            TypeData::Map { domain, range, .. } => domain.iter().any(|d| self.occurs(n, *d)) || self.occurs(n, *range),
            _ => false,
        }
    }

    /// The type as the language writes it.
    pub fn show(&self, ty: Type) -> String {
        match self.data(ty) {
            TypeData::Bool => "bool".to_string(),
            TypeData::Int => "int".to_string(),
            TypeData::Real => "real".to_string(),
            TypeData::Bv(width) => format!("bv{width}"),
            TypeData::Float(significand, exponent) => format!("float{significand}e{exponent}"),
            TypeData::Named(name, arguments) => {
                let mut text = name.to_string();
                for argument in arguments {
                    let inner = self.show(*argument);
                    let is_plain = !inner.contains([' ', '[', '<']);
                    text += &if is_plain { format!(" {inner}") } else { format!(" ({inner})") };
                }
                text
            }
            TypeData::Map { parameters, domain, range } => {
                let names: Vec<String> = (0..*parameters).map(bound_name).collect();
                let binder = if names.is_empty() { String::new() } else { format!("<{}>", names.join(",")) };
                let domain: Vec<String> = domain.iter().map(|d| self.show(*d)).collect();
                format!("{binder}[{}]{}", domain.join(","), self.show(*range))
            }
            TypeData::Parameter(_, name) => name.to_string(),
            TypeData::Bound(_, n) => bound_name(*n),
            TypeData::Infer(_) => "_".to_string(),
        }
    }
}

fn bound_name(n: u32) -> String {
    char::from_digit(10 + n % 26, 36).map_or_else(String::new, |c| c.to_string())
}
