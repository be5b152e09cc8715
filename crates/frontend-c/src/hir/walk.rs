//! Walking over the nodes of a body.

use super::{Body, Callee, ExprId, ExprKind, Initializer, PlaceId, PlaceKind, Scale, StmtId, StmtKind, VaListOp};

/// A node of a [`Body`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    Expr(ExprId),
    Place(PlaceId),
    Stmt(StmtId),
}

impl Body {
    /// Calls `visit` for every node of the tree, parents before children, without recursion.
    pub fn for_each_node(&self, mut visit: impl FnMut(Node)) {
        let mut open = vec![Node::Stmt(self.root)];
        while let Some(node) = open.pop() {
            visit(node);
            self.push_children(node, &mut open);
        }
    }

    /// Adds the children of a node to a list.
    pub fn push_children(&self, node: Node, out: &mut Vec<Node>) {
        match node {
            Node::Expr(id) => self.push_expr_children(&self[id].kind, out),
            Node::Place(id) => self.push_place_children(&self[id].kind, out),
            Node::Stmt(id) => self.push_stmt_children(&self[id].kind, out),
        }
    }

    fn push_expr_children(&self, kind: &ExprKind, out: &mut Vec<Node>) {
        match kind {
            ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Null
            | ExprKind::Function(_)
            | ExprKind::Current
            | ExprKind::Unsupported(_) => {}
            ExprKind::Load(place) | ExprKind::AddressOf(place) => out.push(Node::Place(*place)),
            ExprKind::Cast(_, operand) | ExprKind::Unary(_, operand) | ExprKind::Not(operand) => {
                out.push(Node::Expr(*operand));
            }
            ExprKind::Binary(_, left, right)
            | ExprKind::Compare(_, left, right)
            | ExprKind::Logical(_, left, right)
            | ExprKind::Comma(left, right) => out.extend([Node::Expr(*left), Node::Expr(*right)]),
            ExprKind::Conditional { condition, then, otherwise } => {
                out.extend([*condition, *then, *otherwise].map(Node::Expr));
            }
            ExprKind::PointerOffset { pointer, index, scale, .. } => {
                out.extend([Node::Expr(*pointer), Node::Expr(*index)]);
                push_scale(*scale, out);
            }
            ExprKind::PointerDifference { left, right, scale } => {
                out.extend([Node::Expr(*left), Node::Expr(*right)]);
                push_scale(*scale, out);
            }
            ExprKind::Assign { place, value } | ExprKind::Update { place, value, .. } => {
                out.extend([Node::Place(*place), Node::Expr(*value)]);
            }
            ExprKind::Call { callee, arguments } => {
                if let Callee::Indirect { pointer, .. } = callee {
                    out.push(Node::Expr(*pointer));
                }
                out.extend(arguments.iter().map(|argument| Node::Expr(*argument)));
            }
            ExprKind::Builtin(_, arguments) => out.extend(arguments.iter().map(|argument| Node::Expr(*argument))),
            ExprKind::VaList(op) => match *op {
                VaListOp::Start(list) | VaListOp::End(list) | VaListOp::Arg(list) => out.push(Node::Place(list)),
                VaListOp::Copy(target, source) => out.extend([Node::Place(target), Node::Place(source)]),
            },
            ExprKind::Statements { block, value } => {
                out.push(Node::Stmt(*block));
                out.extend(value.map(Node::Expr));
            }
        }
    }

    fn push_place_children(&self, kind: &PlaceKind, out: &mut Vec<Node>) {
        match kind {
            PlaceKind::Local(_) | PlaceKind::Global(_) | PlaceKind::String(_) => {}
            PlaceKind::Deref(pointer) => out.push(Node::Expr(*pointer)),
            PlaceKind::Field { base, .. } => out.push(Node::Place(*base)),
            PlaceKind::Element { array, index, scale } => {
                out.extend([Node::Place(*array), Node::Expr(*index)]);
                push_scale(*scale, out);
            }
            PlaceKind::Initialised { init, .. } => push_initializer(init, out),
        }
    }

    fn push_stmt_children(&self, kind: &StmtKind, out: &mut Vec<Node>) {
        match kind {
            StmtKind::Label(_)
            | StmtKind::Goto(_)
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Unsupported(_) => {}
            StmtKind::Expr(expr) => out.push(Node::Expr(*expr)),
            StmtKind::Block(statements) => out.extend(statements.iter().map(|statement| Node::Stmt(*statement))),
            StmtKind::Declare { size, init, .. } => {
                out.extend(size.map(Node::Expr));
                init.iter().for_each(|init| push_initializer(init, out));
            }
            StmtKind::If { condition, then, otherwise } => {
                out.extend([Node::Expr(*condition), Node::Stmt(*then)]);
                out.extend(otherwise.map(Node::Stmt));
            }
            StmtKind::Loop(parts) => {
                out.extend(parts.condition.map(Node::Expr));
                out.push(Node::Stmt(parts.body));
                out.extend(parts.step.map(Node::Expr));
            }
            StmtKind::Switch(switch) => out.extend([Node::Expr(switch.value), Node::Stmt(switch.body)]),
            StmtKind::Return(value) => out.extend(value.map(Node::Expr)),
        }
    }
}

fn push_scale(scale: Scale, out: &mut Vec<Node>) {
    if let Scale::Variable(size) = scale {
        out.push(Node::Expr(size));
    }
}

fn push_initializer(init: &Initializer, out: &mut Vec<Node>) {
    out.extend(init.entries.iter().map(|entry| Node::Expr(entry.value)));
}
