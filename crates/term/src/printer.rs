//! Writes terms in any notation, naming shared parts by `let`, so that the text is as long as the graph, not the tree.
//!
//! A part is named where it occurs twice and is large enough to be worth a name. Its name is defined in the outermost
//! scope (the whole term, or the body of a binder) where all its variables mean what they mean at its occurrences; so
//! a `let` reads as it does in SMT-LIB: nothing in its definition is captured by a binder below it.

use crate::Term;
use crate::free::Free;
use crate::visit::{bound, post_order};
use rustc_hash::{FxHashMap, FxHashSet};
use std::borrow::Cow;
use std::fmt;

/// A part of what is still to be written.
#[derive(Clone, Debug)]
pub(crate) enum Piece {
    Text(Cow<'static, str>),
    /// A term, by its name if it has one.
    Term(Term),
    /// A term, written out.
    Whole(Term),
    /// A term with its shared parts named around it.
    Block(Term),
    /// What is inside a binder: names that its variables capture are not used there.
    Scope(Term),
    /// The names that a block or scope had for itself are gone, and those it hid are back.
    Leave {
        gone: Vec<Term>,
        back: Vec<(Term, usize)>,
    },
}

impl Piece {
    pub(crate) fn text(text: impl Into<Cow<'static, str>>) -> Piece {
        Piece::Text(text.into())
    }
}

/// How nodes look.
pub(crate) trait Notation {
    /// A node with its arguments as pieces. A binder has a [`Piece::Scope`] of itself for all below it.
    fn node(&self, term: Term, out: &mut Vec<Piece>);
    /// What a binder has inside its scope: the body as a [`Piece::Block`], triggers likewise.
    fn inside(&self, binder: Term, out: &mut Vec<Piece>);
    /// The n-th name of a shared part.
    fn name(&self, n: usize) -> String;
}

/// Shared parts of fewer nodes than this are written out each time.
const WORTH_A_NAME: usize = 8;

/// Which terms have names at the place where the writer is.
pub(crate) struct Printer<'a, N> {
    notation: &'a N,
    names: FxHashMap<Term, usize>,
    next: usize,
    /// Free variables among those that some binder binds. `None` if there is no binder.
    free: Option<Free>,
}

impl<'a, N: Notation> Printer<'a, N> {
    /// A printer for terms that the roots are made of.
    pub(crate) fn new(notation: &'a N, roots: &[Term]) -> Printer<'a, N> {
        let bound: FxHashSet<Term> =
            post_order(roots.iter().copied()).into_iter().flat_map(|t| bound(t).iter().copied()).collect();
        let free = (!bound.is_empty()).then(|| Free::among(bound));
        Printer { notation, names: FxHashMap::default(), next: 1, free }
    }

    /// Gives names to the shared parts of several terms and returns them in the order in which they can be defined.
    pub(crate) fn name_shared(&mut self, roots: &[Term]) -> Vec<Term> {
        let references = self.references(roots);
        let mut repeated: Vec<Term> = references.keys().copied().collect();
        repeated.sort_unstable();
        // How much text each term is, with the names given so far. Arguments are older, so they come first.
        let mut sizes: FxHashMap<Term, usize> = FxHashMap::default();
        let mut named = Vec::new();
        for term in repeated {
            let size = 1 + term.args().iter().map(|a| sizes.get(a).copied().unwrap_or(1)).sum::<usize>();
            if references[&term] > 1 && size >= WORTH_A_NAME {
                self.names.insert(term, self.next);
                self.next += 1;
                named.push(term);
                sizes.insert(term, 1);
            } else {
                sizes.insert(term, size.min(WORTH_A_NAME));
            }
        }
        named
    }

    /// The name of a term that has one.
    pub(crate) fn name_of(&self, term: Term) -> Option<String> {
        self.names.get(&term).map(|n| self.notation.name(*n))
    }

    /// How often each term is referred to in the present scope, counting what can be lifted out of binders inside it.
    fn references(&mut self, roots: &[Term]) -> FxHashMap<Term, usize> {
        let mut counts: FxHashMap<Term, usize> = FxHashMap::default();
        // Terms that mention a variable bound inside the scope, with the binders' variables around them.
        let mut seen_inside: FxHashSet<(Term, Vec<Term>)> = FxHashSet::default();
        let mut stack: Vec<(Term, Vec<Term>)> = roots.iter().map(|r| (*r, Vec::new())).collect();
        while let Some((term, around)) = stack.pop() {
            if self.names.contains_key(&term) {
                continue;
            }
            let captured = !around.is_empty() && self.mentions(term, &around);
            if captured {
                if !seen_inside.insert((term, around.clone())) {
                    continue;
                }
            } else {
                let count = counts.entry(term).or_default();
                *count += 1;
                if *count > 1 {
                    continue;
                }
            }
            let mut inner = if captured { around } else { Vec::new() };
            let new = bound(term);
            if !new.is_empty() {
                inner.extend_from_slice(new);
                inner.sort_unstable();
                inner.dedup();
            }
            stack.extend(term.args().iter().map(|a| (*a, inner.clone())));
        }
        counts
    }

    fn mentions(&mut self, term: Term, variables: &[Term]) -> bool {
        self.free.as_mut().is_some_and(|free| free.of(term).iter().any(|v| variables.contains(v)))
    }

    /// Writes one term, its shared parts named inside it.
    pub(crate) fn write(&mut self, f: &mut dyn fmt::Write, root: Term) -> fmt::Result {
        self.run(f, Piece::Block(root))
    }

    /// Writes out a term that has a name.
    pub(crate) fn write_definition(&mut self, f: &mut dyn fmt::Write, named: Term) -> fmt::Result {
        self.run(f, Piece::Whole(named))
    }

    fn run(&mut self, f: &mut dyn fmt::Write, first: Piece) -> fmt::Result {
        let mut stack = vec![first];
        let mut buffer = Vec::new();
        while let Some(piece) = stack.pop() {
            match piece {
                Piece::Text(text) => f.write_str(&text)?,
                Piece::Term(term) => match self.name_of(term) {
                    Some(name) => f.write_str(&name)?,
                    None => stack.push(Piece::Whole(term)),
                },
                Piece::Whole(term) => {
                    self.notation.node(term, &mut buffer);
                    stack.extend(buffer.drain(..).rev());
                }
                Piece::Block(term) => self.block(term, &mut stack),
                Piece::Scope(binder) => {
                    let back = self.hide_captured(bound(binder));
                    stack.push(Piece::Leave { gone: Vec::new(), back });
                    self.notation.inside(binder, &mut buffer);
                    stack.extend(buffer.drain(..).rev());
                }
                Piece::Leave { gone, back } => {
                    gone.iter().for_each(|t| _ = self.names.remove(t));
                    self.names.extend(back);
                }
            }
        }
        Ok(())
    }

    /// Pushes the definitions of the term's shared parts and the term.
    fn block(&mut self, term: Term, stack: &mut Vec<Piece>) {
        let named = self.name_shared(&[term]);
        let definitions = named.iter().rev().flat_map(|part| {
            let start = format!("(let (({} ", self.notation.name(self.names[part]));
            [Piece::text(")) "), Piece::Whole(*part), Piece::text(start)]
        });
        let end = Piece::text(")".repeat(named.len()));
        let pieces: Vec<Piece> = [end, Piece::Term(term)].into_iter().chain(definitions).collect();
        stack.push(Piece::Leave { gone: named, back: Vec::new() });
        stack.extend(pieces);
    }

    /// Takes away the names of terms that mention one of the variables.
    fn hide_captured(&mut self, variables: &[Term]) -> Vec<(Term, usize)> {
        let named: Vec<(Term, usize)> = self.names.iter().map(|(t, n)| (*t, *n)).collect();
        let captured: Vec<(Term, usize)> = named.into_iter().filter(|(t, _)| self.mentions(*t, variables)).collect();
        captured.iter().for_each(|(t, _)| _ = self.names.remove(t));
        captured
    }
}
