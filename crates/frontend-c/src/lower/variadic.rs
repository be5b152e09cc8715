//! Arguments behind the `...` of a function.
//!
//! The caller puts them one after the other into an object, each in as many slots of eight bytes as it needs, and passes a
//! pointer to it. A `va_list` holds the pointer to the next one: on 32 bits it is nothing else, and on 64 bits it is the
//! member `overflow_arg_area`.

use super::place::{Lvalue, Use};
use super::value::{Typed, Value};
use super::writer::Writer;
use crate::hir::{PlaceId, VaListOp};
use crate::types::{Ty, TypeKind};
use ir::DataModel;
use term::{Term, build};

const SLOT: u64 = 8;

/// Where in a `struct __va_list_tag` the pointer is.
const OVERFLOW_AREA: u64 = 8;

impl Writer<'_, '_> {
    fn slots(&self, ty: Ty) -> u64 {
        self.types.size(ty).unwrap_or(SLOT).next_multiple_of(SLOT)
    }

    /// Puts arguments into an object, and gives the pointer to it.
    pub fn pack(&mut self, arguments: Vec<Typed>) -> Term {
        if arguments.is_empty() {
            return build::null(self.width());
        }
        let size = arguments.iter().map(|argument| self.slots(argument.ty)).sum();
        let object = self.new_temporary_object(size, 1);
        let mut offset = 0;
        for argument in arguments {
            self.put(super::pointer::advance(object, offset), argument.ty, argument.value);
            offset += self.slots(argument.ty);
        }
        object
    }

    pub fn va_list(&mut self, op: VaListOp, ty: Ty) -> Value {
        match op {
            VaListOp::Start(list) => match self.variable_arguments {
                Some(arguments) => {
                    let next = self.next_argument(list);
                    self.store(&next, Value::Scalar(arguments));
                    Value::Void
                }
                None => self.unsupported_value("va_start in a function without variable arguments", ty),
            },
            VaListOp::End(list) => {
                self.place(list, Use::Address);
                Value::Void
            }
            VaListOp::Copy(to, from) => {
                let from = self.next_argument(from);
                let value = self.load(&from);
                let value = match value {
                    Value::Scalar(term) => Value::Scalar(self.code.keep(term)),
                    other => other,
                };
                let to = self.next_argument(to);
                self.store(&to, value);
                Value::Void
            }
            VaListOp::Arg(list) => self.take_argument(list, ty),
        }
    }

    fn take_argument(&mut self, list: PlaceId, ty: Ty) -> Value {
        let next = self.next_argument(list);
        let pointer = match self.load(&next) {
            Value::Scalar(pointer) if pointer.sort() == self.pointer_sort() => self.code.keep(pointer),
            _ => return self.unsupported_value("a va_list of an unexpected type", ty),
        };
        let after = super::pointer::advance(pointer, self.slots(ty));
        self.store(&next, Value::Scalar(after));
        self.load(&Lvalue::memory(pointer, ty))
    }

    /// Where a `va_list` holds the pointer to the next argument.
    fn next_argument(&mut self, list: PlaceId) -> Lvalue {
        let lvalue = self.place(list, Use::Access);
        // Its own type does not matter: what lies there is a pointer.
        match (self.context.model, self.types.record(lvalue.ty)) {
            (DataModel::Lp64, Some(record)) => {
                let fields = self.types[record].layout.iter().flat_map(|layout| &layout.fields);
                let pointer = fields.clone().find(|field| field.offset == OVERFLOW_AREA && field.bits.is_none());
                match pointer.map(|field| field.ty).filter(|ty| matches!(self.types.kind(*ty), TypeKind::Pointer(_))) {
                    Some(ty) => lvalue.part(OVERFLOW_AREA, None, ty),
                    None => lvalue,
                }
            }
            _ => lvalue,
        }
    }
}
