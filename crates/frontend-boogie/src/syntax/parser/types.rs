//! Written types.

use super::Parser;
use super::error::Parsed;
use crate::syntax::ast::*;
use crate::syntax::token::TokenKind;
use source::Span;

impl Parser<'_> {
    fn type_node(&mut self, kind: TypeKind, start: Span) -> TypeRef {
        let span = self.since(start);
        self.tree.types.push(TypeExpr { kind, span });
        TypeRef(self.tree.types.len() as u32 - 1)
    }

    /// A type that may be followed by arguments: `Field int`.
    pub(super) fn ty(&mut self) -> Parsed<TypeRef> {
        self.nested(|p| {
            let start = p.here();
            if !p.is(TokenKind::Name) || p.basic_type().is_some() {
                return p.type_atom();
            }
            let name = p.name("a type")?;
            let mut arguments = Vec::new();
            if p.is(TokenKind::Less) && p.peek_second() != TokenKind::Less {
                // Datatypes may be applied as `List<int>`.
                p.bump();
                arguments = p.separated(Self::ty)?;
                p.close(TokenKind::Greater, start)?;
            }
            while p.begins_type_argument() {
                // A map type takes the rest: `Field [int]int`.
                let is_map = p.is(TokenKind::LeftBracket) || p.is(TokenKind::Less);
                arguments.push(p.type_atom()?);
                if is_map {
                    break;
                }
            }
            Ok(p.type_node(TypeKind::Named(name, arguments), start))
        })
    }

    fn begins_type_argument(&self) -> bool {
        use TokenKind::*;
        // After the type of a variable, `where` and words of other rules may follow.
        match self.peek() {
            Name => !matches!(self.token().text.as_str(), "extends" | "complete" | "uses"),
            kind => matches!(kind, KwInt | KwBool | KwReal | LeftParen | LeftBracket),
        }
    }

    /// A type that can be an argument as it stands.
    fn type_atom(&mut self) -> Parsed<TypeRef> {
        let start = self.here();
        let kind = match self.peek() {
            TokenKind::KwInt => TypeKind::Int,
            TokenKind::KwBool => TypeKind::Bool,
            TokenKind::KwReal => TypeKind::Real,
            TokenKind::LeftBracket | TokenKind::Less => return self.map_type(),
            TokenKind::LeftParen => {
                self.bump();
                let inner = self.ty()?;
                self.close(TokenKind::RightParen, start)?;
                return Ok(inner);
            }
            TokenKind::Name => match self.basic_type() {
                Some(kind) => kind,
                None => {
                    let name = self.name("a type")?;
                    return Ok(self.type_node(TypeKind::Named(name, Vec::new()), start));
                }
            },
            _ => return self.expected("a type"),
        };
        self.bump();
        Ok(self.type_node(kind, start))
    }

    fn map_type(&mut self) -> Parsed<TypeRef> {
        self.nested(|p| {
            let start = p.here();
            let parameters = p.type_parameters()?;
            let open = p.expect(TokenKind::LeftBracket, "before the indices of a map")?;
            let open = p.span(open);
            let domain = if p.is(TokenKind::RightBracket) { Vec::new() } else { p.separated(Self::ty)? };
            p.close(TokenKind::RightBracket, open)?;
            let range = p.ty()?;
            Ok(p.type_node(TypeKind::Map { parameters, domain, range }, start))
        })
    }

    /// `bv32`, `float24e8`: names by their look.
    fn basic_type(&self) -> Option<TypeKind> {
        let text = self.token().text.as_str();
        let number = |digits: &str| digits.bytes().all(|b| b.is_ascii_digit()).then(|| digits.parse().ok()).flatten();
        if let Some(digits) = text.strip_prefix("bv") {
            return number(digits).map(TypeKind::Bv);
        }
        match text {
            "float16" => return Some(TypeKind::Float(11, 5)),
            "float32" => return Some(TypeKind::Float(24, 8)),
            "float64" => return Some(TypeKind::Float(53, 11)),
            "float128" => return Some(TypeKind::Float(113, 15)),
            _ => {}
        }
        let (significand, exponent) = text.strip_prefix("float")?.split_once('e')?;
        Some(TypeKind::Float(number(significand)?, number(exponent)?))
    }

    /// `<a, b>`, or nothing.
    pub(super) fn type_parameters(&mut self) -> Parsed<Vec<Name>> {
        let start = self.here();
        if !self.eat(TokenKind::Less) {
            return Ok(Vec::new());
        }
        let names = self.names("a type parameter")?;
        self.close(TokenKind::Greater, start)?;
        Ok(names)
    }
}
