//! From the syntax tree to the checked program: resolves names, infers and checks types.
//!
//! Everything that is wrong is reported; a type that cannot be found out becomes a type variable, which fits everything, so
//! that one mistake makes one message. `modifies` clauses are looked at too, but what they leave out is only a warning: they
//! say nothing that the implementation does not say better, and checkers of whole programs take programs without them.

mod declare;
mod expr;
mod scope;
mod stmt;
pub mod types;
mod written;

use crate::hir::*;
use crate::syntax::{self, DeclarationKind, ExprId, Tree};
use rustc_hash::{FxHashMap, FxHashSet};
use scope::{Scope, TypeName};
use source::{Diagnostic, Span, Symbol};
use types::{Type, TypeData};

/// More errors than this are not reported.
const MAX_ERRORS: usize = 100;

/// Checks a tree. The order of what is wrong is that of the text.
pub fn check(mut tree: Tree) -> Result<Unit, Vec<Diagnostic>> {
    drop_extern(&mut tree);
    let unit = Unit::default();
    let mut checker = Checker {
        tree: &tree,
        unit,
        type_names: FxHashMap::default(),
        type_scope: Vec::new(),
        map_depth: 0,
        synonym_depth: 0,
        functions: FxHashMap::default(),
        constants: FxHashMap::default(),
        globals: FxHashMap::default(),
        procedures: FxHashMap::default(),
        scopes: Vec::new(),
        divisions: Vec::new(),
        modifies: None,
        has_earlier_state: false,
        diagnostics: Vec::new(),
    };
    let anything = checker.unit.types.infer();
    checker.unit.expr_types = vec![anything; tree.exprs.len()];
    checker.program();
    let Checker { mut unit, mut diagnostics, .. } = checker;
    if diagnostics.is_empty() {
        unit.tree = tree;
        return Ok(unit);
    }
    diagnostics.sort_by_key(|diagnostic| diagnostic.primary.as_ref().map(|label| label.span.start));
    Err(diagnostics)
}

/// A declaration that is marked `{:extern}` gives way to another one of the same name.
fn drop_extern(tree: &mut Tree) {
    let key = |declaration: &syntax::Declaration| match &declaration.kind {
        DeclarationKind::Type { name, .. } | DeclarationKind::Datatype { name, .. } => Some((0, name.text)),
        DeclarationKind::Function(function) => Some((1, function.name.text)),
        DeclarationKind::Procedure(procedure) => Some((2, procedure.signature.name.text)),
        DeclarationKind::Constants { constants, .. } if constants.len() == 1 => Some((3, constants[0].name.text)),
        DeclarationKind::Globals(variables) if variables.len() == 1 => Some((3, variables[0].name.text)),
        _ => None,
    };
    let own: FxHashSet<(u8, Symbol)> =
        tree.declarations.iter().filter(|d| !d.attributes.has("extern")).filter_map(key).collect();
    tree.declarations.retain(|d| !d.attributes.has("extern") || key(d).is_none_or(|name| !own.contains(&name)));
}

struct Checker<'t> {
    tree: &'t Tree,
    unit: Unit,
    type_names: FxHashMap<Symbol, TypeName>,
    /// Type parameters in scope, the innermost last.
    type_scope: Vec<(Symbol, Type)>,
    /// How many map types with type parameters are around.
    map_depth: u32,
    synonym_depth: u32,
    functions: FxHashMap<Symbol, FunctionId>,
    constants: FxHashMap<Symbol, FunctionId>,
    globals: FxHashMap<Symbol, VarId>,
    procedures: FxHashMap<Symbol, ProcedureId>,
    /// Locals and bound variables, the innermost scope last.
    scopes: Vec<Scope>,
    /// Divisions of integers by `/`, whose type the context decides.
    divisions: Vec<(ExprId, Type)>,
    /// The globals that the procedure may change, and those that were already complained about.
    modifies: Option<Modifies>,
    /// Whether `old` means something here.
    has_earlier_state: bool,
    diagnostics: Vec<Diagnostic>,
}

struct Modifies {
    procedure: Symbol,
    allowed: FxHashSet<VarId>,
}

impl Checker<'_> {
    fn error(&mut self, span: Span, message: impl Into<String>) {
        self.report(Diagnostic::error(span, message));
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        if self.diagnostics.len() < MAX_ERRORS {
            self.diagnostics.push(diagnostic);
        }
    }

    fn program(&mut self) {
        self.declare_types();
        self.declare_values();
        self.declare_procedures();
        self.check_bodies();
        let real = self.unit.types.real();
        for (expr, ty) in std::mem::take(&mut self.divisions) {
            match self.unit.types.data(ty) {
                // Boogie's `/` gives a real; where an integer is needed, Ultimate's language means `div`.
                TypeData::Infer(_) => {
                    self.unit.types.unify(ty, real);
                }
                TypeData::Int | TypeData::Real => {}
                _ => {
                    let message = format!("expected {}, found a quotient", self.unit.types.show(ty));
                    self.error(self.tree[expr].span, message);
                }
            }
        }
    }

    fn new_variable(&mut self, variable: Variable) -> VarId {
        self.unit.variables.push(variable);
        VarId(self.unit.variables.len() as u32 - 1)
    }

    /// Notes that a variable changes here.
    fn changes(&mut self, variable: VarId, span: Span) {
        let Some(modifies) = &mut self.modifies else { return };
        let info = self.unit.variable(variable);
        if info.kind != VariableKind::Global || !modifies.allowed.insert(variable) {
            return;
        }
        let message = format!("`{}` changes here, but is in no modifies clause of `{}`", info.name, modifies.procedure);
        self.unit.warnings.push(Diagnostic::warning(span, message));
    }
}

/// The variables of a list, in the order of the text, with their number of names.
fn written_name(name: &syntax::Name) -> (Symbol, Span) {
    (name.text, name.span)
}
