//! Labels: function-wide, or local to a block that declares them.

use super::Checker;
use crate::hir::LabelId;
use crate::syntax::Name;
use rustc_hash::FxHashMap;
use source::{Diagnostic, Span, Symbol};

/// The labels of a function.
#[derive(Default)]
pub(super) struct Labels {
    function: FxHashMap<Symbol, State>,
    /// Those that open blocks declare with `__label__`; the innermost is the last.
    blocks: Vec<FxHashMap<Symbol, State>>,
}

#[derive(Clone, Copy)]
struct State {
    label: LabelId,
    /// Where it stands, once it has been seen.
    defined: Option<Span>,
    /// Where it was mentioned first.
    span: Span,
}

impl Checker<'_> {
    /// The label of this name, which may stand further below.
    pub(super) fn label(&mut self, name: Symbol, span: Span) -> Option<LabelId> {
        Some(self.label_state(name, span)?.label)
    }

    fn label_state(&mut self, name: Symbol, span: Span) -> Option<&mut State> {
        let labels = &mut self.frame.as_mut()?.labels;
        let block = labels.blocks.iter_mut().rev().find(|block| block.contains_key(&name));
        let table = match block {
            Some(block) => block,
            None => &mut labels.function,
        };
        let tables = &mut self.tables;
        Some(table.entry(name).or_insert_with(|| State { label: tables.label(Some(name), span), defined: None, span }))
    }

    /// The label that stands here.
    pub(super) fn define_label(&mut self, name: Symbol, span: Span) -> Option<LabelId> {
        let state = self.label_state(name, span)?;
        let label = state.label;
        if let Some(first) = state.defined.replace(span) {
            let message = format!("the label `{name}` stands here a second time");
            self.report(Diagnostic::error(span, message).secondary(first, "the first one is here"));
        }
        self.tables.labels[label.index()].span = span;
        Some(label)
    }

    pub(super) fn enter_label_scope(&mut self) {
        if let Some(frame) = &mut self.frame {
            frame.labels.blocks.push(FxHashMap::default());
        }
    }

    /// `__label__ name;`
    pub(super) fn declare_label(&mut self, name: Name) {
        let label = self.tables.label(Some(name.symbol), name.span);
        let blocks = self.frame.as_mut().map(|frame| &mut frame.labels.blocks);
        if let Some(block) = blocks.and_then(|blocks| blocks.last_mut()) {
            block.insert(name.symbol, State { label, defined: None, span: name.span });
        }
    }

    pub(super) fn leave_label_scope(&mut self) {
        if let Some(block) = self.frame.as_mut().and_then(|frame| frame.labels.blocks.pop()) {
            self.report_undefined(block);
        }
    }

    /// Reports labels that are nowhere.
    pub(super) fn check_labels(&mut self) {
        if let Some(frame) = &mut self.frame {
            let labels = std::mem::take(&mut frame.labels.function);
            self.report_undefined(labels);
        }
    }

    fn report_undefined(&mut self, labels: FxHashMap<Symbol, State>) {
        let mut missing: Vec<_> = labels.into_iter().filter(|(_, state)| state.defined.is_none()).collect();
        missing.sort_by_key(|(_, state)| state.span);
        for (name, state) in missing {
            self.error(state.span, format!("there is no label `{name}` in this function"));
        }
    }
}
