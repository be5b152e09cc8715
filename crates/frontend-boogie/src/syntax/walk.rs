//! Going through expressions.

use super::ast::*;

impl Tree {
    /// The parts of an expression that are expressions, triggers left out. The inside of code does not count.
    pub fn parts(&self, expr: ExprId) -> Vec<ExprId> {
        use ExprKind::*;
        match &self[expr].kind {
            Bool(_) | Integer(_) | Real(_) | BitVector(_) | Float(_) | Name(_) | Code(_) => Vec::new(),
            Unary(_, a) | Old(a) | ToInt(a) | ToReal(a) | Coerce(a, _) | Is(a, _) | Field(a, _) => vec![*a],
            Extract { operand, .. } => vec![*operand],
            Binary(_, a, b) | WithField(a, _, b) => vec![*a, *b],
            If(a, b, c) => vec![*a, *b, *c],
            Apply(_, arguments) => arguments.clone(),
            Select(map, indices) => std::iter::once(*map).chain(indices.iter().copied()).collect(),
            Store(map, indices, value) => {
                std::iter::once(*map).chain(indices.iter().copied()).chain([*value]).collect()
            }
            Quantified(quantified) => vec![quantified.body],
            Let(_, values, body) => values.iter().copied().chain([*body]).collect(),
        }
    }

    /// Looks at an expression and everything in it.
    pub fn walk(&self, root: ExprId, mut look: impl FnMut(ExprId)) {
        let mut pending = vec![root];
        while let Some(expr) = pending.pop() {
            look(expr);
            pending.extend(self.parts(expr));
        }
    }
}
