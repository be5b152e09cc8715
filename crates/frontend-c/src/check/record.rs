//! Structs and unions: tags, members and their layout.

use super::Checker;
use super::attribute::has;
use super::scope::Tag;
use crate::syntax::{self, AttributeKind, MemberDeclaration, MemberDeclarator, MemberItem};
use crate::types::{ArrayLength, Member, RecordId, RecordKind, RecordOptions, Ty, TypeKind};
use rustc_hash::FxHashMap;
use source::{Diagnostic, Span, Symbol};

impl Checker<'_> {
    /// The type that `struct tag`, with or without members, means here.
    pub(super) fn record_type(&mut self, id: syntax::RecordId, span: Span) -> Ty {
        let unit = self.unit;
        let written = &unit[id];
        let (record, ty) = match self.find_record(written) {
            Ok(found) => found,
            Err(()) => return Ty::ERROR,
        };
        let Some(members) = &written.members else { return ty };
        if self.types[record].layout.is_some() {
            let tag = written.tag.map_or("", |tag| tag.symbol.as_str());
            let first = self.types[record].span;
            self.report(
                Diagnostic::error(span, format!("`{tag}` is defined a second time"))
                    .secondary(first, "the first definition is here"),
            );
            return Ty::ERROR;
        }
        syntax::deep(|| self.define_record(record, written, members));
        ty
    }

    /// The record that is declared or defined here, new or known.
    fn find_record(&mut self, written: &syntax::Record) -> Result<(RecordId, Ty), ()> {
        let Some(tag) = written.tag else {
            return Ok(self.types.new_record(written.kind, None, written.span));
        };
        // A definition is for this scope; a mention may mean an outer one.
        let is_definition = written.members.is_some();
        let known =
            if is_definition { self.scopes.find_tag_here(tag.symbol) } else { self.scopes.find_tag(tag.symbol) };
        match known.map(|binding| (binding.meaning, binding.span)) {
            Some((Tag::Record(record, ty), _)) if self.types[record].kind == written.kind => Ok((record, ty)),
            Some((_, span)) => {
                self.report(
                    Diagnostic::error(tag.span, format!("`{}` is another kind of tag", tag.symbol))
                        .secondary(span, "declared here"),
                );
                Err(())
            }
            None => {
                let (record, ty) = self.types.new_record(written.kind, Some(tag.symbol), tag.span);
                self.scopes.declare_tag(tag.symbol, Tag::Record(record, ty), tag.span);
                Ok((record, ty))
            }
        }
    }

    fn define_record(&mut self, record: RecordId, written: &syntax::Record, items: &[MemberItem]) {
        let is_packed = has(&written.attributes, |kind| matches!(kind, AttributeKind::Packed));
        let options = RecordOptions {
            kind: written.kind,
            is_packed,
            align: self.chosen_align(&written.attributes),
            pack: written.pack,
        };
        let mut members = Vec::new();
        for item in items {
            match item {
                MemberItem::Members(declaration) => self.members(declaration, written.kind, &mut members),
                MemberItem::StaticAssert(assertion) => self.static_assert(assertion),
            }
        }
        self.check_members(&members, written);
        if has(&written.attributes, |kind| matches!(kind, AttributeKind::TransparentUnion)) {
            self.types.set_transparent(record);
        }
        match self.types.lay_out(options, &members) {
            Ok(layout) => self.types.set_layout(record, layout),
            Err(crate::types::TooLarge) => self.error(written.span, "this type is larger than the address space"),
        }
        self.check_flexible_members(&members, written);
    }

    fn members(&mut self, declaration: &MemberDeclaration, kind: RecordKind, members: &mut Vec<Member>) {
        let base = self.specified_type(&declaration.specifiers);
        let attributes = &declaration.specifiers.attributes;
        let base = self.attributed_type(base, attributes);
        if declaration.declarators.is_empty() {
            // An anonymous struct or union; a mention of a tag only declares it.
            if self.types.is_record(base) && self.is_anonymous_member(declaration) {
                let align = self.chosen_align(attributes);
                let is_packed = has(attributes, |kind| matches!(kind, AttributeKind::Packed));
                members.push(Member {
                    name: None,
                    ty: base,
                    bit_width: None,
                    is_packed,
                    align,
                    span: declaration.span,
                });
            }
            return;
        }
        for declarator in &declaration.declarators {
            if let Some(member) = self.member_declarator(base, declarator, attributes, kind) {
                members.push(member);
            }
        }
    }

    /// Whether a declaration without declarators makes a member: its struct or union has no tag. (Microsoft's extension,
    /// which gives the members of a tagged one, is off by default.)
    fn is_anonymous_member(&self, declaration: &MemberDeclaration) -> bool {
        match declaration.specifiers.ty {
            syntax::TypeSpecifier::Record(id) => self.unit[id].tag.is_none(),
            _ => false,
        }
    }

    fn member_declarator(
        &mut self,
        base: Ty,
        written: &MemberDeclarator,
        shared: &[syntax::Attribute],
        kind: RecordKind,
    ) -> Option<Member> {
        let declarator = &written.declarator;
        let name = declarator.name.map(|name| name.symbol);
        let span = declarator.name.map_or(declarator.span, |name| name.span);
        let ty = self.declared_type(base, declarator);
        let mut ty = self.attributed_type(ty, &declarator.attributes);
        let is_packed = |kind: &AttributeKind| matches!(kind, AttributeKind::Packed);
        let is_packed = has(shared, is_packed) || has(&declarator.attributes, is_packed);
        let align = self.chosen_align(shared).max(self.chosen_align(&declarator.attributes));
        let shown = name.map_or("this member".to_owned(), |name| format!("`{name}`"));
        if self.types.is_variable_length(ty) {
            // GNU C has structs whose size varies; nothing in Fathom has.
            self.vla_effects.clear();
            self.unsupported_body("a struct of variable size", span);
            ty = self.types.array(Ty::CHAR, ArrayLength::Known(0));
        }
        let is_open_array = matches!(self.types.kind(ty), TypeKind::Array { length: ArrayLength::Unknown, .. });
        if self.types.is_function(ty) {
            self.error(span, format!("{shown} is a function, which cannot be a member"));
            ty = Ty::ERROR;
        } else if !self.types.is_complete(ty) && !ty.is_error() {
            // GNU C allows an array of unknown length in a union, where it has no elements.
            if !is_open_array {
                self.error(span, format!("{shown} has the incomplete type {}", self.quoted(ty)));
                ty = Ty::ERROR;
            } else if kind == RecordKind::Union
                && let Some(element) = self.types.element(ty)
            {
                ty = self.types.array(element, ArrayLength::Known(0));
            }
        }
        let bit_width = match written.bit_width {
            Some(width) => Some(self.bit_width(width, ty, name, &shown)?),
            None => None,
        };
        Some(Member { name, ty, bit_width, is_packed, align, span })
    }

    fn bit_width(&mut self, width: syntax::ExprId, ty: Ty, name: Option<Symbol>, shown: &str) -> Option<u32> {
        let span = self.unit[width].span;
        let (value, _) = self.constant_int(width, "the width of a bit-field")?;
        if ty.is_error() {
            return None;
        }
        let Some(shape) = self.int_shape(ty).filter(|_| self.types.is_complete(ty)) else {
            self.error(span, format!("{shown} has type {}, which bit-fields cannot have", self.quoted(ty)));
            return None;
        };
        if value == 0 && name.is_some() {
            self.error(span, format!("{shown} has no bits"));
            return None;
        }
        if !(0..=i128::from(shape.width)).contains(&value) {
            self.error(span, format!("{shown} has {value} bits, but its type has {}", shape.width));
            return None;
        }
        Some(value as u32)
    }

    /// Reports names that occur twice.
    fn check_members(&mut self, members: &[Member], written: &syntax::Record) {
        let mut seen: FxHashMap<Symbol, Span> = FxHashMap::default();
        for member in members {
            let mut names = Vec::new();
            match member.name {
                Some(name) => names.push((name, member.span)),
                None => self.names_inside(member.ty, &mut names),
            }
            for (name, span) in names {
                if let Some(first) = seen.insert(name, span) {
                    let tag = written.tag.map_or(String::new(), |tag| format!(" of `{}`", tag.symbol));
                    self.report(
                        Diagnostic::error(span, format!("there are two members{tag} named `{name}`"))
                            .secondary(first, "the first one is here"),
                    );
                }
            }
        }
    }

    /// The names that an anonymous member brings in.
    fn names_inside(&self, ty: Ty, names: &mut Vec<(Symbol, Span)>) {
        let Some(layout) = self.types.record(ty).and_then(|id| self.types[id].layout.as_ref()) else { return };
        for field in &layout.fields {
            match field.name {
                Some(name) => names.push((name, field.span)),
                None => syntax::deep(|| self.names_inside(field.ty, names)),
            }
        }
    }

    /// An array of unknown length may only be the last member of a struct.
    fn check_flexible_members(&mut self, members: &[Member], written: &syntax::Record) {
        let Some((_, others)) = members.split_last() else { return };
        for member in others {
            if matches!(self.types.kind(member.ty), TypeKind::Array { length: ArrayLength::Unknown, .. })
                && written.kind == RecordKind::Struct
            {
                self.error(member.span, "an array of unknown length must be the last member");
            }
        }
    }
}
