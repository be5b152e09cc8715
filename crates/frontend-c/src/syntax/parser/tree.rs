//! Adding nodes to the tree, within the limit on its height.
//!
//! The parser's own depth bounds most of the tree, but operators that associate to the left (and postfix operators) are
//! parsed in a loop, and each adds a level. So the height of every expression is kept while the parser runs.

use super::{Parsed, Parser};
use crate::syntax::ast::*;
use source::Span;

#[derive(Default, Debug)]
pub(super) struct Heights {
    exprs: Vec<u32>,
    type_names: Vec<u32>,
    /// The deepest level that an expression has reached since somebody last set this to 0.
    deepest: u32,
}

impl Parser<'_> {
    /// Adds an expression.
    pub(super) fn expr(&mut self, kind: ExprKind, span: Span) -> Parsed<ExprId> {
        let inside = self.height_inside(&kind);
        self.expr_above(inside, kind, span)
    }

    /// Adds an expression that contains others of the given height.
    fn expr_above(&mut self, inside: u32, kind: ExprKind, span: Span) -> Parsed<ExprId> {
        let height = inside + 1;
        let reach = self.depth + height;
        if reach > MAX_NESTING {
            return self.too_deep(span);
        }
        self.heights.deepest = self.heights.deepest.max(reach);
        self.heights.exprs.push(height);
        Ok(self.unit.add_expr(Expr { kind, span }))
    }

    fn height_inside(&self, kind: &ExprKind) -> u32 {
        let expr = |id: ExprId| self.heights.exprs[id.index()];
        let ty = |id: TypeNameId| self.heights.type_names[id.index()];
        let designator = |designator: &Designator| match *designator {
            Designator::Field(..) => 0,
            Designator::Index(a) => expr(a),
            Designator::Range(a, b) => expr(a).max(expr(b)),
        };
        let designators = |path: &[Designator]| path.iter().map(designator).max().unwrap_or(0);
        match *kind {
            ExprKind::Name(_)
            | ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Char(_)
            | ExprKind::String(_)
            | ExprKind::LabelAddress(_) => 0,
            // Added by `statements`, which knows.
            ExprKind::Statements(_) => 0,
            ExprKind::Unary(_, a) | ExprKind::Member(a, _, _) => expr(a),
            ExprKind::SizeofExpr(a) | ExprKind::AlignofExpr(a) => expr(a),
            ExprKind::Binary(_, a, b) | ExprKind::Assign(_, a, b) | ExprKind::Index(a, b) => expr(a).max(expr(b)),
            ExprKind::Conditional(a, b, c) => expr(a).max(b.map_or(0, expr)).max(expr(c)),
            ExprKind::Choose(a, b, c) => expr(a).max(expr(b)).max(expr(c)),
            ExprKind::Cast(t, a) | ExprKind::CompoundLiteral(t, a) | ExprKind::VaArg(a, t) => ty(t).max(expr(a)),
            ExprKind::SizeofType(t) | ExprKind::AlignofType(t) => ty(t),
            ExprKind::TypesCompatible(t, u) => ty(t).max(ty(u)),
            ExprKind::Offsetof(t, ref path) => ty(t).max(designators(path)),
            ExprKind::Call(a, ref arguments) => arguments.iter().map(|b| expr(*b)).max().unwrap_or(0).max(expr(a)),
            ExprKind::Braces(ref items) => {
                items.iter().map(|item| expr(item.value).max(designators(&item.designators))).max().unwrap_or(0)
            }
            ExprKind::Generic(a, ref arms) => {
                arms.iter().map(|arm| expr(arm.value).max(arm.ty.map_or(0, ty))).max().unwrap_or(0).max(expr(a))
            }
        }
    }

    /// Runs a rule that makes no expression itself, and returns the height of the expressions inside it too.
    fn measure<T>(&mut self, rule: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<(T, u32)> {
        let outer = std::mem::take(&mut self.heights.deepest);
        let result = rule(self);
        let inner = self.heights.deepest;
        self.heights.deepest = outer.max(inner);
        Ok((result?, inner.saturating_sub(self.depth)))
    }

    /// Adds a type name that a rule parses.
    pub(super) fn add_type_name(&mut self, rule: impl FnOnce(&mut Self) -> Parsed<TypeName>) -> Parsed<TypeNameId> {
        let (type_name, height) = self.measure(rule)?;
        self.heights.type_names.push(height);
        Ok(self.unit.add_type_name(type_name))
    }

    /// Adds GNU's `({ ... })` with the block that a rule parses.
    pub(super) fn add_statements(
        &mut self,
        start: Span,
        rule: impl FnOnce(&mut Self) -> Parsed<StmtId>,
    ) -> Parsed<ExprId> {
        let (block, height) = self.measure(rule)?;
        let span = self.since(start);
        self.expr_above(height, ExprKind::Statements(block), span)
    }

    pub(super) fn stmt(&mut self, kind: StmtKind, start: Span) -> StmtId {
        let span = self.since(start);
        self.unit.add_stmt(Stmt { kind, span })
    }
}
