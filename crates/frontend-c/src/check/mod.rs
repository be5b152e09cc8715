//! From the syntax tree to the checked program: names, types, conversions, constants.
//!
//! The rules are those of gcc's GNU C11. What gcc rejects is an error here; what it only warns about is accepted; what it
//! accepts but Fathom cannot represent becomes an explicit node in the result.
//!
//! The [`Checker`] walks the tree once, from top to bottom. Its parts:
//! - [`scope`]: what names mean. [`tables`]: the nodes that are being built.
//! - Declarations: [`specifier`], [`record`], [`enumeration`], [`attribute`], [`declarator`] give types; [`declare`],
//!   [`linkage`] and [`function`] make entities of them; [`init`] and [`static_init`] their values.
//! - Expressions: [`expr`] is the entrance. [`convert`] makes conversions explicit; [`constant`], [`fold`], [`number`]
//!   and [`float`] know constants; [`builtin`] knows what gcc builds in.
//! - [`contract`] makes functions of the clauses of contracts.
//! - Statements: [`stmt`], [`switch`], [`label`].
//! - [`finish`] resolves aliases and finds out how variables are used.
//!
//! Invariant: an error is reported once. What depends on something wrong has the type [`Ty::ERROR`], and nothing is said
//! about it again.

mod assign;
mod attribute;
mod builtin;
mod call;
mod constant;
mod contract;
mod convert;
mod declarator;
mod declare;
mod enumeration;
mod expr;
mod finish;
mod float;
mod fold;
mod function;
mod init;
mod label;
mod linkage;
mod literal;
mod number;
mod operator;
mod place;
mod pointer;
mod query;
mod record;
mod scope;
mod specifier;
mod static_init;
mod stmt;
mod switch;
mod tables;
#[cfg(test)]
mod tests;

use crate::hir::{self, Function, Global, StringId, StringLiteral};
use crate::syntax::{Item, TranslationUnit};
use crate::types::{Ty, Types};
use function::Frame;
use ir::DataModel;
use rustc_hash::{FxHashMap, FxHashSet};
use scope::{Entity, Scopes};
use source::{Diagnostic, SourceMap, Span, Symbol};
use tables::Tables;

/// After so many errors the rest is not worth reading.
const MAX_ERRORS: usize = 50;

/// What of the language differs between programs.
#[derive(Clone, Copy, Debug)]
pub struct Dialect {
    pub model: DataModel,
    /// Whether `inline` means what it meant before C99.
    pub has_gnu_inline: bool,
}

/// Checks a program, or says what is wrong with it.
pub fn check(unit: &TranslationUnit, map: &SourceMap, dialect: Dialect) -> Result<hir::Unit, Vec<Diagnostic>> {
    let mut checker = Checker {
        unit,
        map,
        types: Types::new(dialect.model),
        scopes: Scopes::default(),
        globals: Vec::new(),
        functions: Vec::new(),
        strings: Vec::new(),
        string_ids: FxHashMap::default(),
        link_names: FxHashMap::default(),
        aliases: Vec::new(),
        va_list: None,
        tables: Tables::default(),
        frame: None,
        vla_effects: Vec::new(),
        updating: None,
        linked: FxHashMap::default(),
        reads_constants: false,
        clauses: Vec::new(),
        in_prototype: 0,
        initialised: FxHashMap::default(),
        replaceable: FxHashSet::default(),
        declared_plainly: FxHashSet::default(),
        gnu_inline: FxHashMap::default(),
        has_gnu_inline: dialect.has_gnu_inline,
        errors: Vec::new(),
        warnings: Vec::new(),
    };
    for item in &unit.items {
        checker.item(item);
    }
    checker.finish()
}

/// All that is known while the tree is walked.
struct Checker<'a> {
    unit: &'a TranslationUnit,
    map: &'a SourceMap,
    types: Types,
    scopes: Scopes,
    globals: Vec<Global>,
    functions: Vec<Function>,
    strings: Vec<StringLiteral>,
    string_ids: FxHashMap<(Vec<u8>, Ty), StringId>,
    /// How many objects have asked for a link name, to make made-up ones unique.
    link_names: FxHashMap<String, u32>,
    /// Declarations with an `alias` attribute, resolved at the end.
    aliases: Vec<linkage::Alias>,
    /// The type `__builtin_va_list`, once somebody needs it.
    va_list: Option<Ty>,
    /// The nodes of the function that is being checked, or of constant expressions outside functions.
    tables: Tables,
    /// The function that is being checked.
    frame: Option<Frame>,
    /// Assignments that compute the lengths of the variable length arrays in the type that is being read; whoever reads
    /// the type sees to it that they are executed.
    vla_effects: Vec<hir::ExprId>,
    /// The place of the update whose new value is being computed.
    updating: Option<hir::PlaceId>,
    /// The variables and functions with linkage, in whatever scope they are declared.
    linked: FxHashMap<Symbol, Entity>,
    /// How many parameter lists of function types we are in.
    in_prototype: u32,
    /// The variables that have got an initialiser, and where.
    initialised: FxHashMap<hir::GlobalId, Span>,
    /// The functions whose body serves inlining only, so that another one may follow.
    replaceable: FxHashSet<hir::FunctionId>,
    /// The functions that some declaration does not say `inline` of, or says `extern` of.
    declared_plainly: FxHashSet<hir::FunctionId>,
    /// The functions whose definition is `inline` in GNU's old way; whether it is no definition for other files.
    gnu_inline: FxHashMap<hir::FunctionId, bool>,
    /// Whether all `inline` is of that kind.
    has_gnu_inline: bool,
    /// Whether the value of a constant variable counts as constant: in initialisers only.
    reads_constants: bool,
    /// The functions that clauses of contracts became.
    clauses: Vec<hir::FunctionId>,
    errors: Vec<Diagnostic>,
    warnings: Vec<Diagnostic>,
}

impl Checker<'_> {
    fn item(&mut self, item: &Item) {
        match item {
            Item::Function(definition) => self.function_definition(definition),
            Item::Declaration(declaration) => self.file_declaration(declaration),
            Item::StaticAssert(assertion) => self.static_assert(assertion),
            // What assembler outside functions does is not visible to C, but through names that remain undefined.
            Item::Asm(_) => {}
        }
        if self.frame.is_none() {
            self.tables.clear();
        }
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        // Tables of nodes repeat their operands' errors at the same place; the first one is the cause.
        let is_known =
            self.errors.iter().any(|known| known.primary == diagnostic.primary && known.message == diagnostic.message);
        if self.errors.len() < MAX_ERRORS && !is_known {
            self.errors.push(diagnostic);
        }
    }

    fn error(&mut self, span: Span, message: impl Into<String>) {
        self.report(Diagnostic::error(span, message));
    }

    /// The type in quotes, for messages.
    fn quoted(&self, ty: Ty) -> String {
        format!("`{}`", self.types.display(ty))
    }
}
