//! The table of types: making types and asking what they are.

use super::{
    ArrayLength, Enum, EnumId, FloatKind, FunctionType, IntKind, Layout, Qualifiers, Record, RecordId, RecordKind,
    Scalar, Ty, TypeKind,
};
use ir::DataModel;
use rustc_hash::FxHashMap;
use source::{Span, Symbol};
use std::ops::Index;

/// All types of a translation unit.
#[derive(Clone, Debug)]
pub struct Types {
    model: DataModel,
    entries: Vec<Entry>,
    /// For each entry, how many derivations lie between it and a type that is not derived.
    depths: Vec<u32>,
    known: FxHashMap<Entry, Ty>,
    records: Vec<Record>,
    enums: Vec<Enum>,
}

/// A type, with the alignment in bytes if an attribute chose it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Entry {
    kind: TypeKind,
    align: Option<u32>,
}

impl Index<RecordId> for Types {
    type Output = Record;
    fn index(&self, id: RecordId) -> &Record {
        &self.records[id.0 as usize]
    }
}

impl Index<EnumId> for Types {
    type Output = Enum;
    fn index(&self, id: EnumId) -> &Enum {
        &self.enums[id.0 as usize]
    }
}

impl Types {
    pub fn new(model: DataModel) -> Types {
        let mut types = Types {
            model,
            entries: Vec::new(),
            depths: Vec::new(),
            known: FxHashMap::default(),
            records: Vec::new(),
            enums: Vec::new(),
        };
        // The order is that of the constants of `Ty`.
        let simple = [TypeKind::Void, TypeKind::Bool, TypeKind::Error].into_iter();
        let ints = IntKind::ALL.into_iter().map(TypeKind::Int);
        let floats = FloatKind::ALL.into_iter().map(TypeKind::Float);
        for kind in simple.chain(ints).chain(floats) {
            types.intern(kind);
        }
        types
    }

    pub fn model(&self) -> DataModel {
        self.model
    }

    /// The type of this kind.
    pub fn intern(&mut self, kind: TypeKind) -> Ty {
        self.intern_entry(Entry { kind, align: None })
    }

    fn intern_entry(&mut self, entry: Entry) -> Ty {
        if let Some(ty) = self.known.get(&entry) {
            return *ty;
        }
        // A table of 2^28 types would take more text than spans can address.
        let ty = Ty::at(self.entries.len() as u32);
        self.depths.push(match &entry.kind {
            TypeKind::Pointer(inner) | TypeKind::Array { element: inner, .. } => self.depth(*inner) + 1,
            TypeKind::Function(function) => {
                let parameters = function.parameters.iter().map(|ty| self.depth(*ty)).max().unwrap_or(0);
                self.depth(function.result).max(parameters) + 1
            }
            _ => 0,
        });
        self.entries.push(entry.clone());
        self.known.insert(entry, ty);
        ty
    }

    pub fn pointer(&mut self, target: Ty) -> Ty {
        self.intern(TypeKind::Pointer(target))
    }

    pub fn array(&mut self, element: Ty, length: ArrayLength) -> Ty {
        self.intern(TypeKind::Array { element, length })
    }

    pub fn function(&mut self, function: FunctionType) -> Ty {
        self.intern(TypeKind::Function(function))
    }

    /// A new struct or union, incomplete.
    pub fn new_record(&mut self, kind: RecordKind, tag: Option<Symbol>, span: Span) -> (RecordId, Ty) {
        let id = RecordId(self.records.len() as u32);
        self.records.push(Record { kind, tag, span, layout: None, is_transparent: false });
        (id, self.intern(TypeKind::Record(id)))
    }

    /// Completes a record.
    pub fn set_layout(&mut self, id: RecordId, layout: Layout) {
        self.records[id.0 as usize].layout = Some(layout);
    }

    pub fn set_transparent(&mut self, id: RecordId) {
        self.records[id.0 as usize].is_transparent = true;
    }

    /// A new enumeration, incomplete.
    pub fn new_enum(&mut self, tag: Option<Symbol>, span: Span) -> (EnumId, Ty) {
        let id = EnumId(self.enums.len() as u32);
        self.enums.push(Enum { tag, span, underlying: None, enumerators: Vec::new() });
        (id, self.intern(TypeKind::Enum(id)))
    }

    /// Completes an enumeration.
    pub fn set_enum(&mut self, id: EnumId, underlying: Ty, enumerators: Vec<(Symbol, i128)>) {
        let target = &mut self.enums[id.0 as usize];
        target.underlying = Some(underlying);
        target.enumerators = enumerators;
    }

    /// All structs and unions, in the order in which they were declared.
    pub fn records(&self) -> impl Iterator<Item = &Record> {
        self.records.iter()
    }

    /// The type with these qualifiers beside those that it has. An array passes them to its elements.
    pub fn qualified(&mut self, ty: Ty, qualifiers: Qualifiers) -> Ty {
        if qualifiers == Qualifiers::NONE {
            return ty;
        }
        match *self.kind(ty) {
            TypeKind::Array { element, length } => {
                let element = self.qualified(element, qualifiers);
                let align = self.entries[ty.index()].align;
                self.intern_entry(Entry { kind: TypeKind::Array { element, length }, align })
            }
            _ => ty.with(ty.qualifiers() | qualifiers),
        }
    }

    /// The type with another alignment, in bytes.
    pub fn aligned(&mut self, ty: Ty, align: u32) -> Ty {
        let kind = self.kind(ty).clone();
        self.intern_entry(Entry { kind, align: Some(align) }).with(ty.qualifiers())
    }

    /// The type of values of this type: without qualifiers, and without what an attribute says of its alignment.
    pub fn plain(&mut self, ty: Ty) -> Ty {
        match self.chosen_align(ty) {
            None => ty.unqualified(),
            Some(_) => self.intern(self.kind(ty).clone()),
        }
    }

    /// The alignment that an attribute gave to the type itself, in bytes.
    pub fn chosen_align(&self, ty: Ty) -> Option<u32> {
        self.entries[ty.index()].align
    }

    pub fn kind(&self, ty: Ty) -> &TypeKind {
        &self.entries[ty.index()].kind
    }

    /// How many pointers, arrays and functions the type is derived through at most. Recursion over types goes no deeper.
    pub fn depth(&self, ty: Ty) -> u32 {
        self.depths[ty.index()]
    }

    // The types that the data model names.

    pub fn size_type(&self) -> Ty {
        match self.model {
            DataModel::Ilp32 => Ty::UNSIGNED,
            DataModel::Lp64 => Ty::int(IntKind::UnsignedLong),
        }
    }

    /// `ptrdiff_t`, also the integers that are as wide as a pointer.
    pub fn ptrdiff_type(&self) -> Ty {
        match self.model {
            DataModel::Ilp32 => Ty::INT,
            DataModel::Lp64 => Ty::LONG,
        }
    }

    pub fn wchar_type(&self) -> Ty {
        match self.model {
            DataModel::Ilp32 => Ty::LONG,
            DataModel::Lp64 => Ty::INT,
        }
    }

    // Asking for parts

    /// What a pointer points to.
    pub fn pointee(&self, ty: Ty) -> Option<Ty> {
        match self.kind(ty) {
            TypeKind::Pointer(target) => Some(*target),
            _ => None,
        }
    }

    /// What an array consists of.
    pub fn element(&self, ty: Ty) -> Option<Ty> {
        match self.kind(ty) {
            TypeKind::Array { element, .. } => Some(*element),
            _ => None,
        }
    }

    pub fn function_type(&self, ty: Ty) -> Option<&FunctionType> {
        match self.kind(ty) {
            TypeKind::Function(function) => Some(function),
            _ => None,
        }
    }

    pub fn record(&self, ty: Ty) -> Option<RecordId> {
        match self.kind(ty) {
            TypeKind::Record(id) => Some(*id),
            _ => None,
        }
    }

    /// The values of a scalar type; `None` for every other type and for an incomplete enumeration.
    pub fn scalar(&self, ty: Ty) -> Option<Scalar> {
        match *self.kind(ty) {
            TypeKind::Bool => Some(Scalar::Bool),
            TypeKind::Int(kind) => Some(Scalar::Int { width: self.int_width(kind), signed: kind.is_signed() }),
            TypeKind::BitField { width, signed } => Some(Scalar::Int { width, signed }),
            TypeKind::Float(kind) => Some(Scalar::Float(kind.format())),
            TypeKind::Pointer(_) => Some(Scalar::Pointer),
            TypeKind::Enum(id) => self[id].underlying.and_then(|underlying| self.scalar(underlying)),
            _ => None,
        }
    }

    /// The steps from a record to a member of this name, through anonymous structs and unions: field numbers.
    pub fn find_field(&self, record: RecordId, name: Symbol) -> Option<Vec<u32>> {
        let fields = &self[record].layout.as_ref()?.fields;
        if let Some(at) = fields.iter().position(|field| field.name == Some(name)) {
            return Some(vec![at as u32]);
        }
        fields.iter().enumerate().filter(|(_, field)| field.name.is_none()).find_map(|(at, field)| {
            let inner = self.record(field.ty)?;
            let mut path = crate::syntax::deep(|| self.find_field(inner, name))?;
            path.insert(0, at as u32);
            Some(path)
        })
    }

    // Classes of types

    pub fn is_pointer(&self, ty: Ty) -> bool {
        matches!(self.kind(ty), TypeKind::Pointer(_))
    }

    pub fn is_array(&self, ty: Ty) -> bool {
        matches!(self.kind(ty), TypeKind::Array { .. })
    }

    pub fn is_function(&self, ty: Ty) -> bool {
        matches!(self.kind(ty), TypeKind::Function(_))
    }

    pub fn is_record(&self, ty: Ty) -> bool {
        matches!(self.kind(ty), TypeKind::Record(_))
    }

    pub fn is_float(&self, ty: Ty) -> bool {
        matches!(self.kind(ty), TypeKind::Float(_))
    }

    /// An integer, `_Bool` and enumerations included.
    pub fn is_integer(&self, ty: Ty) -> bool {
        matches!(self.kind(ty), TypeKind::Bool | TypeKind::Int(_) | TypeKind::BitField { .. } | TypeKind::Enum(_))
    }

    pub fn is_arithmetic(&self, ty: Ty) -> bool {
        self.is_integer(ty) || self.is_float(ty)
    }

    pub fn is_scalar(&self, ty: Ty) -> bool {
        self.is_arithmetic(ty) || self.is_pointer(ty)
    }

    /// What is not supported about the type itself.
    pub fn unsupported(&self, ty: Ty) -> Option<Symbol> {
        match self.kind(ty) {
            TypeKind::Unsupported { what, .. } => Some(*what),
            _ => None,
        }
    }

    /// Whether the size of the type depends on the execution.
    pub fn is_variable_length(&self, ty: Ty) -> bool {
        match *self.kind(ty) {
            TypeKind::Array { element, length } => {
                matches!(length, ArrayLength::Variable(_) | ArrayLength::Star) || self.is_variable_length(element)
            }
            _ => false,
        }
    }

    /// Whether objects of the type can be made: not `void`, a function, or a type whose size is not known (yet).
    pub fn is_complete(&self, ty: Ty) -> bool {
        match *self.kind(ty) {
            TypeKind::Void | TypeKind::Function(_) => false,
            TypeKind::Array { element, length } => length != ArrayLength::Unknown && self.is_complete(element),
            TypeKind::Record(id) => self[id].layout.is_some(),
            TypeKind::Enum(id) => self[id].underlying.is_some(),
            _ => true,
        }
    }
}
