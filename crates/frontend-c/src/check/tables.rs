//! The nodes of a function body while it is being built.

use crate::hir::{
    Expr, ExprId, ExprKind, Label, LabelId, Local, LocalId, Place, PlaceId, PlaceKind, Stmt, StmtId, StmtKind, Uses,
};
use crate::types::Ty;
use source::{Span, Symbol};
use std::ops::Index;

/// The tables of a [`hir::Body`](crate::hir::Body).
#[derive(Default)]
pub(super) struct Tables {
    pub locals: Vec<Local>,
    pub labels: Vec<Label>,
    pub exprs: Vec<Expr>,
    pub places: Vec<Place>,
    pub stmts: Vec<Stmt>,
}

/// How far the tables of nodes are filled.
#[derive(Clone, Copy)]
pub(super) struct Mark {
    exprs: usize,
    places: usize,
    stmts: usize,
}

impl Index<ExprId> for Tables {
    type Output = Expr;
    fn index(&self, id: ExprId) -> &Expr {
        &self.exprs[id.index()]
    }
}

impl Index<PlaceId> for Tables {
    type Output = Place;
    fn index(&self, id: PlaceId) -> &Place {
        &self.places[id.index()]
    }
}

impl Tables {
    pub fn expr(&mut self, kind: ExprKind, ty: Ty, span: Span) -> ExprId {
        self.exprs.push(Expr { kind, ty: ty.unqualified(), span });
        ExprId(self.exprs.len() as u32 - 1)
    }

    pub fn place(&mut self, kind: PlaceKind, ty: Ty, span: Span) -> PlaceId {
        self.places.push(Place { kind, ty, span });
        PlaceId(self.places.len() as u32 - 1)
    }

    pub fn stmt(&mut self, kind: StmtKind, span: Span) -> StmtId {
        self.stmts.push(Stmt { kind, span });
        StmtId(self.stmts.len() as u32 - 1)
    }

    pub fn local(&mut self, name: Option<Symbol>, ty: Ty, span: Span) -> LocalId {
        self.locals.push(Local {
            name,
            ty,
            uses: Uses::default(),
            align: None,
            cleanup: None,
            is_temporary: false,
            span,
        });
        LocalId(self.locals.len() as u32 - 1)
    }

    /// A variable that lives as long as the full expression around it.
    pub fn temporary(&mut self, ty: Ty, span: Span) -> LocalId {
        let local = self.local(None, ty, span);
        self.locals[local.index()].is_temporary = true;
        local
    }

    pub fn label(&mut self, name: Option<Symbol>, span: Span) -> LabelId {
        self.labels.push(Label { name, span });
        LabelId(self.labels.len() as u32 - 1)
    }

    pub fn mark(&self) -> Mark {
        Mark { exprs: self.exprs.len(), places: self.places.len(), stmts: self.stmts.len() }
    }

    /// Whether there are compound literals since the mark.
    pub fn has_literals_since(&self, mark: Mark) -> bool {
        self.places[mark.places..].iter().any(|place| match place.kind {
            PlaceKind::Initialised { local, .. } => !self.locals[local.index()].is_temporary,
            _ => false,
        })
    }

    /// Forgets the nodes since the mark. Variables stay: types may speak of them.
    pub fn reset(&mut self, mark: Mark) {
        self.exprs.truncate(mark.exprs);
        self.places.truncate(mark.places);
        self.stmts.truncate(mark.stmts);
    }

    /// Whether evaluating the nodes since the mark may do something.
    pub fn has_effects_since(&self, mark: Mark) -> bool {
        self.exprs[mark.exprs..].iter().any(|expr| {
            matches!(
                expr.kind,
                ExprKind::Assign { .. }
                    | ExprKind::Update { .. }
                    | ExprKind::Call { .. }
                    | ExprKind::Builtin(..)
                    | ExprKind::VaList(_)
                    | ExprKind::Statements { .. }
                    | ExprKind::Unsupported(_)
            )
        })
    }

    /// Forgets all nodes.
    pub fn clear(&mut self) {
        *self = Tables { locals: Vec::new(), labels: Vec::new(), ..std::mem::take(self) };
        self.reset(Mark { exprs: 0, places: 0, stmts: 0 });
    }
}
