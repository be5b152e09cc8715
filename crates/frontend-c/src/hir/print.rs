//! A checked program as text, for people and tests.
//!
//! The text is C-like, with what C leaves unsaid: `[x]` reads a place, `e as T` is a conversion, `&x` an address, `old` the
//! current value in an update. Constants of types other than `int` show their type.

use super::{
    AddressBase, Body, Callee, Expr, ExprId, ExprKind, Function, FunctionBody, Global, Initializer, Linkage, LocalId,
    LogicalOp, Place, PlaceId, PlaceKind, Scale, StaticValue, UnaryOp, Unit, VaListOp, Yields,
};
use super::{BinaryOp, CompareOp};
use crate::syntax::deep;
use crate::types::{Bits, Ty};
use std::fmt::{self, Write};

impl Unit {
    /// The whole unit as text.
    pub fn dump(&self) -> String {
        let mut text = String::new();
        let printed = self
            .globals
            .iter()
            .try_for_each(|global| self.dump_global(global, &mut text))
            .and_then(|()| self.functions.iter().try_for_each(|function| self.dump_function(function, &mut text)));
        debug_assert!(printed.is_ok(), "writing to a string cannot fail");
        text
    }

    fn dump_global(&self, global: &Global, out: &mut String) -> fmt::Result {
        let words = [
            (global.linkage == Linkage::Internal, "static "),
            (global.init.is_none(), "extern "),
            (global.is_thread_local, "thread_local "),
            (global.is_weak, "weak "),
        ];
        words.iter().filter(|(is_set, _)| *is_set).try_for_each(|(_, word)| out.write_str(word))?;
        write!(out, "{}", self.types.declare(global.ty, global.link_name.as_str()))?;
        if let Some(size) = global.size.filter(|size| Some(*size) != self.types.size(global.ty)) {
            write!(out, " size {size}")?;
        }
        if let Some(target) = global.alias {
            write!(out, " alias {}", self[target].link_name)?;
        }
        for (at, entry) in global.init.iter().flatten().enumerate() {
            out.write_str(if at == 0 { " = {" } else { ", " })?;
            write!(out, "{}{}: ", entry.offset, shown_bits(entry.bits))?;
            match &entry.value {
                StaticValue::Int(value) => self.dump_int(*value, entry.ty, out)?,
                StaticValue::Float(bits) => write!(out, "{bits:#x}:{}", self.types.display(entry.ty))?,
                StaticValue::Address { base, offset } => {
                    let name = match base {
                        AddressBase::Global(id) => self[*id].link_name.to_string(),
                        AddressBase::Function(id) => self[*id].name.to_string(),
                        AddressBase::String(id) => shown_string(&self[*id].bytes),
                    };
                    write!(out, "&{name}")?;
                    if *offset != 0 {
                        write!(out, "{offset:+}")?;
                    }
                }
                StaticValue::Unsupported { what, .. } => write!(out, "unsupported({what})")?,
            }
        }
        if global.init.as_ref().is_some_and(|entries| !entries.is_empty()) {
            out.write_str("}")?;
        }
        dump_uses(global.uses, out)?;
        out.write_str("\n")
    }

    fn dump_int(&self, value: i128, ty: Ty, out: &mut String) -> fmt::Result {
        write!(out, "{value}")?;
        if ty != Ty::INT {
            write!(out, ":{}", self.types.display(ty))?;
        }
        Ok(())
    }

    fn dump_function(&self, function: &Function, out: &mut String) -> fmt::Result {
        let words = [
            (function.linkage == Linkage::Internal, "static "),
            (function.is_noreturn, "noreturn "),
            (function.is_weak, "weak "),
            (function.is_implicit, "implicit "),
        ];
        words.iter().filter(|(is_set, _)| *is_set).try_for_each(|(_, word)| out.write_str(word))?;
        write!(out, "{}", self.types.declare(function.ty, function.name.as_str()))?;
        if let Some(target) = function.alias {
            write!(out, " alias {}", self[target].name)?;
        }
        if function.address_taken {
            out.write_str(" address-taken")?;
        }
        match &function.body {
            FunctionBody::None => out.write_str(";\n"),
            FunctionBody::Unsupported { what, .. } => writeln!(out, " unsupported({what});"),
            FunctionBody::Defined(body) => {
                out.write_str("\n")?;
                Printer { unit: self, body, out }.body()
            }
        }
    }
}

fn dump_uses(uses: super::Uses, out: &mut String) -> fmt::Result {
    if uses.address_taken {
        out.write_str(" address-taken")?;
    }
    if uses.indexed {
        out.write_str(" indexed")?;
    }
    Ok(())
}

fn shown_bits(bits: Option<Bits>) -> String {
    bits.map_or(String::new(), |bits| format!("[{}+{} of {}]", bits.shift, bits.width, u64::from(bits.unit) * 8))
}

fn shown_string(bytes: &[u8]) -> String {
    format!("\"{}\"", bytes.strip_suffix(&[0]).unwrap_or(bytes).escape_ascii())
}

/// Prints one body.
pub(super) struct Printer<'a> {
    pub unit: &'a Unit,
    pub body: &'a Body,
    pub out: &'a mut String,
}

impl Printer<'_> {
    fn body(&mut self) -> fmt::Result {
        for (at, local) in self.body.locals.iter().enumerate() {
            let id = LocalId(at as u32);
            let kind = if self.body.parameters.contains(&id) { "param" } else { "local" };
            let shown = self.unit.types.declare(local.ty, &self.local_name(id));
            write!(self.out, "    {kind} {shown}")?;
            dump_uses(local.uses, self.out)?;
            self.out.write_str("\n")?;
        }
        self.stmt(self.body.root, 1)
    }

    /// The user's name, with a number if another variable has it too.
    pub fn local_name(&self, id: LocalId) -> String {
        match self.body[id].name {
            Some(name) if self.body.locals.iter().filter(|local| local.name == Some(name)).count() == 1 => {
                name.to_string()
            }
            Some(name) => format!("{name}.{}", id.0),
            None => format!("${}", id.0),
        }
    }

    pub fn expr(&mut self, id: ExprId) -> fmt::Result {
        deep(|| self.expr_inner(id))
    }

    fn expr_inner(&mut self, id: ExprId) -> fmt::Result {
        let body = self.body;
        let Expr { kind, ty, .. } = &body[id];
        match kind {
            ExprKind::Int(value) => self.unit.dump_int(*value, *ty, self.out),
            ExprKind::Float(bits) => write!(self.out, "{bits:#x}:{}", self.unit.types.display(*ty)),
            ExprKind::Null => write!(self.out, "null:{}", self.unit.types.display(*ty)),
            ExprKind::Function(function) => write!(self.out, "&{}", self.unit[*function].name),
            ExprKind::Load(place) => self.around("[", |p| p.place(*place), "]"),
            ExprKind::AddressOf(place) => self.around("&", |p| p.place(*place), ""),
            ExprKind::Cast(_, operand) => {
                let target = format!(" as {})", self.unit.types.display(*ty));
                self.around("(", |p| p.expr(*operand), &target)
            }
            ExprKind::Unary(UnaryOp::Negate, operand) => self.around("-(", |p| p.expr(*operand), ")"),
            ExprKind::Unary(UnaryOp::Complement, operand) => self.around("~(", |p| p.expr(*operand), ")"),
            ExprKind::Not(operand) => self.around("!(", |p| p.expr(*operand), ")"),
            ExprKind::Binary(op, left, right) => self.infix(*left, binary_word(*op), *right),
            ExprKind::Compare(op, left, right) => self.infix(*left, compare_word(*op), *right),
            ExprKind::Logical(LogicalOp::And, left, right) => self.infix(*left, "&&", *right),
            ExprKind::Logical(LogicalOp::Or, left, right) => self.infix(*left, "||", *right),
            ExprKind::Comma(left, right) => self.infix(*left, ",", *right),
            ExprKind::Conditional { condition, then, otherwise } => {
                self.around("(", |p| p.expr(*condition), " ? ")?;
                self.around("", |p| p.expr(*then), " : ")?;
                self.around("", |p| p.expr(*otherwise), ")")
            }
            ExprKind::PointerOffset { pointer, index, scale, backwards } => {
                self.around("(", |p| p.expr(*pointer), if *backwards { " - " } else { " + " })?;
                self.expr(*index)?;
                self.around(" * ", |p| p.scale(*scale), ")")
            }
            ExprKind::PointerDifference { left, right, scale } => {
                self.around("(", |p| p.infix(*left, "-", *right), " / ")?;
                self.around("", |p| p.scale(*scale), ")")
            }
            ExprKind::Assign { place, value } => {
                self.around("(", |p| p.place(*place), " = ")?;
                self.around("", |p| p.expr(*value), ")")
            }
            ExprKind::Update { place, value, yields } => {
                let word = if *yields == Yields::Before { "post(" } else { "pre(" };
                self.around(word, |p| p.place(*place), " = ")?;
                self.around("", |p| p.expr(*value), ")")
            }
            ExprKind::Current => self.out.write_str("old"),
            ExprKind::Call { callee, arguments } => {
                match callee {
                    Callee::Direct(function) => write!(self.out, "{}", self.unit[*function].name)?,
                    Callee::Indirect { pointer, .. } => self.around("(*", |p| p.expr(*pointer), ")")?,
                }
                self.arguments(arguments)
            }
            ExprKind::Builtin(builtin, arguments) => {
                write!(self.out, "{builtin:?}")?;
                self.arguments(arguments)
            }
            ExprKind::VaList(op) => self.va_list(*op, *ty),
            ExprKind::Statements { block, value } => {
                self.out.write_str("({\n")?;
                self.stmt(*block, 2)?;
                match value {
                    Some(value) => self.around("        => ", |p| p.expr(*value), " })"),
                    None => self.out.write_str("        })"),
                }
            }
            ExprKind::Unsupported(what) => write!(self.out, "unsupported({what})"),
        }
    }

    fn va_list(&mut self, op: VaListOp, ty: Ty) -> fmt::Result {
        match op {
            VaListOp::Start(list) => self.around("va_start(", |p| p.place(list), ")"),
            VaListOp::End(list) => self.around("va_end(", |p| p.place(list), ")"),
            VaListOp::Copy(target, source) => {
                self.around("va_copy(", |p| p.place(target), ", ")?;
                self.around("", |p| p.place(source), ")")
            }
            VaListOp::Arg(list) => {
                let end = format!(", {})", self.unit.types.display(ty));
                self.around("va_arg(", |p| p.place(list), &end)
            }
        }
    }

    pub fn around(&mut self, before: &str, inner: impl FnOnce(&mut Self) -> fmt::Result, after: &str) -> fmt::Result {
        self.out.write_str(before)?;
        inner(self)?;
        self.out.write_str(after)
    }

    fn infix(&mut self, left: ExprId, word: &str, right: ExprId) -> fmt::Result {
        self.around("(", |p| p.expr(left), " ")?;
        write!(self.out, "{word} ")?;
        self.around("", |p| p.expr(right), ")")
    }

    fn scale(&mut self, scale: Scale) -> fmt::Result {
        match scale {
            Scale::Constant(bytes) => write!(self.out, "{bytes}"),
            Scale::Variable(size) => self.expr(size),
        }
    }

    fn arguments(&mut self, arguments: &[ExprId]) -> fmt::Result {
        self.out.write_str("(")?;
        for (at, argument) in arguments.iter().enumerate() {
            self.around(if at == 0 { "" } else { ", " }, |p| p.expr(*argument), "")?;
        }
        self.out.write_str(")")
    }

    pub fn place(&mut self, id: PlaceId) -> fmt::Result {
        deep(|| self.place_inner(id))
    }

    fn place_inner(&mut self, id: PlaceId) -> fmt::Result {
        let body = self.body;
        let Place { kind, .. } = &body[id];
        match kind {
            PlaceKind::Local(local) => {
                let name = self.local_name(*local);
                self.out.write_str(&name)
            }
            PlaceKind::Global(global) => write!(self.out, "{}", self.unit[*global].link_name),
            PlaceKind::String(string) => self.out.write_str(&shown_string(&self.unit[*string].bytes)),
            PlaceKind::Deref(pointer) => self.around("(*", |p| p.expr(*pointer), ")"),
            PlaceKind::Field { base, record, field } => {
                self.place(*base)?;
                let fields = self.unit.types[*record].layout.as_ref().map(|layout| &layout.fields[*field as usize]);
                let name = fields.and_then(|field| field.name).map_or(format!("<{field}>"), |name| name.to_string());
                write!(self.out, ".{name}")
            }
            PlaceKind::Element { array, index, .. } => {
                self.place(*array)?;
                self.around("[", |p| p.expr(*index), "]")
            }
            PlaceKind::Initialised { local, init } => {
                let name = self.local_name(*local);
                self.around("{", |p| p.around(&name, |p| p.initializer(init), "}"), "")
            }
        }
    }

    pub fn initializer(&mut self, init: &Initializer) -> fmt::Result {
        self.out.write_str(if init.zero { " = zero {" } else { " = {" })?;
        for (at, entry) in init.entries.iter().enumerate() {
            let before = format!("{}{}{}: ", if at == 0 { "" } else { ", " }, entry.offset, shown_bits(entry.bits));
            self.around(&before, |p| p.expr(entry.value), "")?;
        }
        self.out.write_str("}")
    }
}

fn binary_word(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Mul => "*",
        BinaryOp::Div => "/",
        BinaryOp::Rem => "%",
        BinaryOp::Shl => "<<",
        BinaryOp::Shr => ">>",
        BinaryOp::And => "&",
        BinaryOp::Xor => "^",
        BinaryOp::Or => "|",
    }
}

fn compare_word(op: CompareOp) -> &'static str {
    match op {
        CompareOp::Eq => "==",
        CompareOp::Ne => "!=",
        CompareOp::Lt => "<",
        CompareOp::Le => "<=",
        CompareOp::Gt => ">",
        CompareOp::Ge => ">=",
    }
}
