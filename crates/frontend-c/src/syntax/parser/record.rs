//! Struct, union and enum specifiers.

use super::specifiers::Place;
use super::{Parsed, Parser};
use crate::syntax::ast::*;
use crate::syntax::token::TokenKind;

impl Parser<'_> {
    pub(super) fn record(&mut self) -> Parsed<RecordId> {
        let start = self.here();
        let kind = if self.is(TokenKind::Struct) { RecordKind::Struct } else { RecordKind::Union };
        self.bump();
        let mut attributes = Vec::new();
        self.attributes(&mut attributes)?;
        let tag = self.tag();
        let mut members = None;
        let mut pack = None;
        if self.is(TokenKind::LeftBrace) {
            members = Some(self.nest(|parser| parser.members())?);
            pack = self.packing.at(self.at - 1);
            self.attributes(&mut attributes)?;
        } else if tag.is_none() {
            return self.expected("a tag or `{`");
        }
        let span = self.since(start);
        Ok(self.unit.add_record(Record { kind, tag, members, attributes, pack, span }))
    }

    fn tag(&mut self) -> Option<Name> {
        let token = self.token();
        self.eat(TokenKind::Name).then(|| self.name_of(token))
    }

    /// The body of a struct or union, with its braces.
    fn members(&mut self) -> Parsed<Vec<MemberItem>> {
        let open = self.here();
        self.bump();
        let mut members = Vec::new();
        while !self.is(TokenKind::RightBrace) && !self.is(TokenKind::End) {
            let start = self.at;
            if self.eat(TokenKind::Semicolon) {
                continue;
            }
            match self.member_item() {
                Ok(member) => members.push(member),
                Err(_) => self.recover(start),
            }
        }
        self.close(TokenKind::RightBrace, open)?;
        Ok(members)
    }

    fn member_item(&mut self) -> Parsed<MemberItem> {
        if self.is(TokenKind::StaticAssert) {
            return self.static_assert().map(MemberItem::StaticAssert);
        }
        let start = self.here();
        let mut attributes = Vec::new();
        self.attributes(&mut attributes)?;
        let token = self.token();
        if !self.begins_declaration(token) && !matches!(token.kind, TokenKind::Extension | TokenKind::Name) {
            return self.expected("a member or `}`");
        }
        let specifiers = self.specifiers(Place::NoStorage, attributes)?;
        let mut declarators = Vec::new();
        if !self.is(TokenKind::Semicolon) {
            declarators.push(self.member_declarator()?);
            while self.eat(TokenKind::Comma) {
                declarators.push(self.member_declarator()?);
            }
        }
        // Some compilers, gcc among them, let the last member end without a semicolon.
        if !self.is(TokenKind::RightBrace) {
            self.expect(TokenKind::Semicolon, "after the member")?;
        }
        Ok(MemberItem::Members(MemberDeclaration { specifiers, declarators, span: self.since(start) }))
    }

    fn member_declarator(&mut self) -> Parsed<MemberDeclarator> {
        let mut declarator = if self.is(TokenKind::Colon) { self.empty_declarator() } else { self.declarator()? };
        let bit_width = if self.eat(TokenKind::Colon) { Some(self.conditional()?) } else { None };
        self.attributes(&mut declarator.attributes)?;
        Ok(MemberDeclarator { declarator, bit_width })
    }

    pub(super) fn enumeration(&mut self) -> Parsed<EnumId> {
        let start = self.here();
        self.bump();
        let mut attributes = Vec::new();
        self.attributes(&mut attributes)?;
        let tag = self.tag();
        let mut enumerators = None;
        if self.is(TokenKind::LeftBrace) {
            enumerators = Some(self.enumerators()?);
            self.attributes(&mut attributes)?;
        } else if tag.is_none() {
            return self.expected("a tag or `{`");
        }
        let span = self.since(start);
        Ok(self.unit.add_enum(Enum { tag, enumerators, attributes, span }))
    }

    fn enumerators(&mut self) -> Parsed<Vec<Enumerator>> {
        let open = self.here();
        self.bump();
        let mut enumerators = Vec::new();
        while !self.is(TokenKind::RightBrace) {
            let name = self.name("a name for a constant or `}`")?;
            self.attributes(&mut Vec::new())?;
            let value = if self.eat(TokenKind::Equal) { Some(self.conditional()?) } else { None };
            self.declare_name(name.symbol, false);
            enumerators.push(Enumerator { name, value });
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.close(TokenKind::RightBrace, open)?;
        Ok(enumerators)
    }
}
