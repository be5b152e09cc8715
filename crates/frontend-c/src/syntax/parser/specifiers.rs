//! Declaration specifiers: storage, qualifiers, and the words that make a type.

use super::{Parsed, Parser};
use crate::syntax::ast::*;
use crate::syntax::token::{Token, TokenKind};
use source::{Diagnostic, Span};

/// Where specifiers stand, which decides what they may hold.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// Outside functions, where an unknown name can be a variable of implicit type.
    File,
    /// In a block, a parameter list, or between an old-style head and its body.
    Inside,
    /// In a struct or a type name, where there is no storage class.
    NoStorage,
}

/// The words of a type that may come in any order.
#[derive(Default)]
struct Words {
    word: Option<TokenKind>,
    is_unsigned: Option<bool>,
    is_short: bool,
    longs: u8,
    is_complex: bool,
}

impl Words {
    fn is_empty(&self) -> bool {
        self.word.is_none() && self.is_unsigned.is_none() && !self.is_short && self.longs == 0 && !self.is_complex
    }

    /// Takes one more word; `false` if it cannot join the others.
    fn add(&mut self, kind: TokenKind) -> bool {
        match kind {
            TokenKind::Signed | TokenKind::Unsigned => self.is_unsigned.replace(kind == TokenKind::Unsigned).is_none(),
            TokenKind::Short => !std::mem::replace(&mut self.is_short, true),
            TokenKind::Long => {
                self.longs += 1;
                self.longs <= 2
            }
            TokenKind::Complex => !std::mem::replace(&mut self.is_complex, true),
            _ => self.word.replace(kind).is_none(),
        }
    }

    /// The type that the words make.
    fn basic(&self) -> Option<Basic> {
        use TokenKind as T;
        let unsigned = self.is_unsigned == Some(true);
        let pick = |signed, other| Some(if unsigned { other } else { signed });
        match (self.word, self.is_short, self.longs) {
            (None, false, 0) if self.is_complex && self.is_unsigned.is_none() => return Some(Basic::Double),
            (None | Some(T::Int), false, 0) => return pick(Basic::Int, Basic::UnsignedInt),
            (None | Some(T::Int), true, 0) => return pick(Basic::Short, Basic::UnsignedShort),
            (None | Some(T::Int), false, 1) => return pick(Basic::Long, Basic::UnsignedLong),
            (None | Some(T::Int), false, 2) => return pick(Basic::LongLong, Basic::UnsignedLongLong),
            (Some(T::Int128), false, 0) => return pick(Basic::Int128, Basic::UnsignedInt128),
            (Some(T::CharType), false, 0) if self.is_unsigned.is_some() => {
                return pick(Basic::SignedChar, Basic::UnsignedChar);
            }
            (Some(T::Double), false, 1) if self.is_unsigned.is_none() => return Some(Basic::LongDouble),
            (_, false, 0) if self.is_unsigned.is_none() => {}
            _ => return None,
        }
        Some(match self.word? {
            T::Void => Basic::Void,
            T::Bool => Basic::Bool,
            T::CharType => Basic::Char,
            T::Unsigned128 => Basic::UnsignedInt128,
            T::Float => Basic::Float,
            T::Double => Basic::Double,
            T::Float16 => Basic::Float16,
            T::Float32 => Basic::Float32,
            T::Float64 => Basic::Float64,
            T::Float128 => Basic::Float128,
            T::Float32x => Basic::Float32x,
            T::Float64x => Basic::Float64x,
            T::Float80 => Basic::Float80,
            T::Decimal32 => Basic::Decimal32,
            T::Decimal64 => Basic::Decimal64,
            T::Decimal128 => Basic::Decimal128,
            T::VaList => Basic::VaList,
            _ => return None,
        })
    }
}

fn is_type_word(kind: TokenKind) -> bool {
    use TokenKind::*;
    matches!(kind, Void | Bool | CharType | Short | Int | Long | Float | Double | Signed | Unsigned | Complex | Int128)
        || matches!(kind, Unsigned128 | Float16 | Float32 | Float64 | Float128 | Float32x | Float64x | Float80)
        || matches!(kind, Decimal32 | Decimal64 | Decimal128 | VaList)
}

impl Parser<'_> {
    /// Whether a token begins a type name, as after the parenthesis of a cast.
    pub(super) fn begins_type(&self, token: Token) -> bool {
        use TokenKind::*;
        match token.kind {
            Name => self.scopes.is_typedef(token.name),
            Struct | Union | Enum | Typeof | AutoType | Atomic | Const | Volatile | Restrict => true,
            kind => is_type_word(kind),
        }
    }

    /// Whether a token begins a declaration.
    pub(super) fn begins_declaration(&self, token: Token) -> bool {
        use TokenKind::*;
        match token.kind {
            Typedef | Extern | Static | Auto | Register | ThreadLocal | Inline | Noreturn | Alignas => true,
            _ => self.begins_type(token),
        }
    }

    /// Parses specifiers, with attributes that stood before them. Where no type is named, it is `int`.
    pub(super) fn specifiers(&mut self, place: Place, attributes: Vec<Attribute>) -> Parsed<Specifiers> {
        let start = attributes.first().map_or(self.here(), |attribute| attribute.span);
        let mut found = Specifiers {
            storage: None,
            is_thread_local: false,
            is_inline: false,
            is_noreturn: false,
            qualifiers: Qualifiers::default(),
            ty: TypeSpecifier::Basic(Basic::Int),
            attributes,
            span: start,
        };
        let mut words = Words::default();
        let mut ty = None;
        let first = self.at;
        loop {
            let token = self.token();
            match token.kind {
                TokenKind::Typedef | TokenKind::Extern | TokenKind::Static | TokenKind::Auto | TokenKind::Register => {
                    self.storage(place, &mut found)?;
                }
                TokenKind::ThreadLocal => found.is_thread_local = true,
                TokenKind::Inline => found.is_inline = true,
                TokenKind::Noreturn => found.is_noreturn = true,
                TokenKind::Extension => {}
                TokenKind::Attribute => {
                    self.attributes(&mut found.attributes)?;
                    continue;
                }
                TokenKind::Alignas => {
                    self.alignas(&mut found.attributes)?;
                    continue;
                }
                TokenKind::Atomic if self.look(1).kind == TokenKind::LeftParen && ty.is_none() && words.is_empty() => {
                    ty = Some(self.atomic_type()?);
                    continue;
                }
                kind if is_qualifier(kind) => qualify(&mut found.qualifiers, kind),
                kind if is_type_word(kind) && ty.is_none() => {
                    if !words.add(kind) {
                        return self.no_type(self.since(start).to(self.here()));
                    }
                }
                _ if ty.is_some() || !words.is_empty() => break,
                TokenKind::Struct | TokenKind::Union | TokenKind::Enum | TokenKind::Typeof | TokenKind::AutoType => {
                    ty = Some(self.type_specifier()?);
                    continue;
                }
                TokenKind::Name if self.scopes.is_typedef(token.name) || self.is_unknown_type(place, first) => {
                    ty = Some(TypeSpecifier::Typedef(self.lexed.names.symbol(token.name)));
                }
                _ => break,
            }
            self.bump();
        }
        found.span = if self.at == first { start } else { self.since(start) };
        found.ty = match ty {
            Some(ty) => ty,
            None if words.is_empty() => TypeSpecifier::Basic(Basic::Int),
            None => match words.basic() {
                Some(basic) if words.is_complex => TypeSpecifier::Complex(basic),
                Some(basic) => TypeSpecifier::Basic(basic),
                None => return self.no_type(found.span),
            },
        };
        Ok(found)
    }

    fn storage(&mut self, place: Place, found: &mut Specifiers) -> Parsed<()> {
        let storage = match self.peek() {
            TokenKind::Typedef => Storage::Typedef,
            TokenKind::Extern => Storage::Extern,
            TokenKind::Static => Storage::Static,
            TokenKind::Auto => Storage::Auto,
            _ => Storage::Register,
        };
        let message = if place == Place::NoStorage {
            format!("{} is not allowed here", self.peek())
        } else if found.storage.is_some_and(|before| before != storage) {
            "a declaration has only one storage class".to_string()
        } else {
            found.storage = Some(storage);
            return Ok(());
        };
        self.fail(Diagnostic::error(self.here(), message))
    }

    fn no_type<T>(&mut self, span: Span) -> Parsed<T> {
        self.fail(Diagnostic::error(span, "these words do not make a type"))
    }

    /// Whether the next name, which is no typedef, must be meant as a type: then that is reported, and the name counts as
    /// a type from now on, so that one error is enough.
    fn is_unknown_type(&mut self, place: Place, first: usize) -> bool {
        let name = self.token();
        let is_type = match self.look(1).kind {
            TokenKind::Name => true,
            // `x * y` in a block is a product, unless something before `x` makes it a declaration.
            TokenKind::Star => place != Place::Inside || self.at > first,
            // A member of implicit type needs something before it, as in `const x;`.
            _ => place == Place::NoStorage && self.at == first,
        };
        if is_type {
            self.unknown_type(name);
        }
        is_type
    }

    pub(super) fn unknown_type(&mut self, token: Token) {
        let name = self.name_of(token);
        let message = format!("`{}` is not the name of a type here", name.symbol);
        self.report(Diagnostic::error(name.span, message).label("expected a type"));
        self.scopes.declare(token.name, true);
    }

    fn type_specifier(&mut self) -> Parsed<TypeSpecifier> {
        match self.peek() {
            TokenKind::Struct | TokenKind::Union => self.record().map(TypeSpecifier::Record),
            TokenKind::Enum => self.enumeration().map(TypeSpecifier::Enum),
            TokenKind::Typeof => self.typeof_type(),
            _ => {
                self.bump();
                Ok(TypeSpecifier::Auto)
            }
        }
    }

    /// `typeof(type)` or `typeof(expression)`.
    fn typeof_type(&mut self) -> Parsed<TypeSpecifier> {
        self.bump();
        let open = self.here();
        self.expect(TokenKind::LeftParen, "after `typeof`")?;
        let ty = if self.begins_type(self.token()) {
            TypeSpecifier::TypeofType(self.type_name()?)
        } else {
            TypeSpecifier::TypeofExpr(self.expression()?)
        };
        self.close(TokenKind::RightParen, open)?;
        Ok(ty)
    }

    /// `_Atomic(type)`
    fn atomic_type(&mut self) -> Parsed<TypeSpecifier> {
        self.bump();
        let open = self.span(self.token());
        self.bump();
        let ty = self.type_name()?;
        self.close(TokenKind::RightParen, open)?;
        Ok(TypeSpecifier::Atomic(ty))
    }

    /// `_Alignas(type)` or `_Alignas(expression)`.
    fn alignas(&mut self, attributes: &mut Vec<Attribute>) -> Parsed<()> {
        let start = self.here();
        self.bump();
        let open = self.here();
        self.expect(TokenKind::LeftParen, "after `_Alignas`")?;
        let kind = if self.begins_type(self.token()) {
            AttributeKind::AlignasType(self.type_name()?)
        } else {
            AttributeKind::AlignasExpr(self.conditional()?)
        };
        self.close(TokenKind::RightParen, open)?;
        attributes.push(Attribute { kind, span: self.since(start) });
        Ok(())
    }

    /// Qualifiers and attributes, as after a `*`.
    pub(super) fn qualifiers(&mut self, attributes: &mut Vec<Attribute>) -> Parsed<Qualifiers> {
        let mut qualifiers = Qualifiers::default();
        loop {
            match self.peek() {
                TokenKind::Attribute => self.attributes(attributes)?,
                kind if is_qualifier(kind) => {
                    qualify(&mut qualifiers, kind);
                    self.bump();
                }
                _ => return Ok(qualifiers),
            }
        }
    }

    /// A type without a declared name.
    pub(super) fn type_name(&mut self) -> Parsed<TypeNameId> {
        self.add_type_name(|parser| {
            parser.nest(|parser| {
                let start = parser.here();
                let specifiers = parser.specifiers(Place::NoStorage, Vec::new())?;
                let declarator = parser.abstract_declarator()?;
                Ok(TypeName { specifiers, declarator, span: parser.since(start) })
            })
        })
    }
}

fn is_qualifier(kind: TokenKind) -> bool {
    matches!(kind, TokenKind::Const | TokenKind::Volatile | TokenKind::Restrict | TokenKind::Atomic)
}

fn qualify(qualifiers: &mut Qualifiers, kind: TokenKind) {
    match kind {
        TokenKind::Const => qualifiers.is_const = true,
        TokenKind::Volatile => qualifiers.is_volatile = true,
        TokenKind::Restrict => qualifiers.is_restrict = true,
        _ => qualifiers.is_atomic = true,
    }
}
