//! Statements of a checked program as text.

use super::print::Printer;
use super::{LabelId, StmtId, StmtKind, Switch};
use crate::syntax::deep;
use std::fmt::{self, Write};

impl Printer<'_> {
    pub fn stmt(&mut self, id: StmtId, depth: usize) -> fmt::Result {
        deep(|| self.stmt_inner(id, depth))
    }

    fn stmt_inner(&mut self, id: StmtId, depth: usize) -> fmt::Result {
        let body = self.body;
        let indent = "    ".repeat(depth);
        match &body[id].kind {
            StmtKind::Expr(expr) => self.around(&indent, |p| p.expr(*expr), ";\n"),
            StmtKind::Block(statements) => {
                writeln!(self.out, "{indent}{{")?;
                statements.iter().try_for_each(|statement| self.stmt(*statement, depth + 1))?;
                writeln!(self.out, "{indent}}}")
            }
            StmtKind::Declare { local, size, init } => {
                write!(self.out, "{indent}declare {}", self.local_name(*local))?;
                if let Some(size) = size {
                    self.around(" size ", |p| p.expr(*size), "")?;
                }
                init.iter().try_for_each(|init| self.initializer(init))?;
                self.out.write_str(";\n")
            }
            StmtKind::If { condition, then, otherwise } => {
                self.around(&format!("{indent}if "), |p| p.expr(*condition), "\n")?;
                self.stmt(*then, depth + 1)?;
                let Some(otherwise) = otherwise else { return Ok(()) };
                writeln!(self.out, "{indent}else")?;
                // Chains stay at the same depth.
                let is_chain = matches!(body[*otherwise].kind, StmtKind::If { .. });
                self.stmt(*otherwise, if is_chain { depth } else { depth + 1 })
            }
            StmtKind::Loop(parts) => {
                write!(self.out, "{indent}{}", if parts.tests_first { "while" } else { "do-while" })?;
                if let Some(condition) = parts.condition {
                    self.around(" ", |p| p.expr(condition), "")?;
                }
                if let Some(step) = parts.step {
                    self.around(" step ", |p| p.expr(step), "")?;
                }
                self.out.write_str("\n")?;
                self.stmt(parts.body, depth + 1)
            }
            StmtKind::Switch(switch) => self.switch(switch, &indent, depth),
            StmtKind::Label(label) => writeln!(self.out, "{indent}{}:", self.label_name(*label)),
            StmtKind::Goto(label) => writeln!(self.out, "{indent}goto {};", self.label_name(*label)),
            StmtKind::Break => writeln!(self.out, "{indent}break;"),
            StmtKind::Continue => writeln!(self.out, "{indent}continue;"),
            StmtKind::Return(None) => writeln!(self.out, "{indent}return;"),
            StmtKind::Return(Some(value)) => self.around(&format!("{indent}return "), |p| p.expr(*value), ";\n"),
            StmtKind::Unsupported(what) => writeln!(self.out, "{indent}unsupported({what});"),
        }
    }

    fn switch(&mut self, switch: &Switch, indent: &str, depth: usize) -> fmt::Result {
        self.around(&format!("{indent}switch "), |p| p.expr(switch.value), "")?;
        for case in &switch.cases {
            let range = if case.low == case.high { String::new() } else { format!("..{}", case.high) };
            write!(self.out, " {}{range}->{}", case.low, self.label_name(case.label))?;
        }
        if let Some(default) = switch.default {
            write!(self.out, " default->{}", self.label_name(default))?;
        }
        self.out.write_str("\n")?;
        self.stmt(switch.body, depth + 1)
    }

    /// The user's name, with a number since names of local labels may occur twice.
    fn label_name(&self, label: LabelId) -> String {
        self.body[label].name.map_or(format!("L{}", label.0), |name| format!("{name}.{}", label.0))
    }
}
