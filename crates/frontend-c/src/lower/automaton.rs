//! Automata of the user: each has a variable that holds its state, and moves when functions are called and when the
//! program ends.

use super::context::Context;
use super::writer::Writer;
use crate::automaton::{Automaton, Event};
use ir::Op;
use source::Symbol;
use term::{Sort, Term, build};

/// What classes of automata begin with; the name follows.
pub(super) const CLASS: &str = "automaton:";

/// The width of a state's number.
const STATE: u32 = 16;

fn state(automaton: &Automaton) -> Term {
    Term::var(format!("${CLASS}{}", automaton.name).as_str(), Sort::bv(STATE))
}

fn number(state: usize) -> Term {
    build::bv(STATE, state as u128)
}

impl Context<'_> {
    /// The automata that are asked for.
    fn automata(&self) -> Vec<Automaton> {
        let asked = |automaton: &&Automaton| {
            let class = Symbol::new(&format!("{CLASS}{}", automaton.name));
            self.options.properties.contains(&class)
        };
        self.options.automata.iter().filter(asked).cloned().collect()
    }

    /// Automata start in their first states.
    pub fn initial_automata(&self) -> Vec<Op> {
        let automata = self.automata().into_iter().filter(|automaton| self.is_global(state(automaton)));
        automata.map(|automaton| Op::assign(state(&automaton), number(automaton.start))).collect()
    }
}

impl Writer<'_, '_> {
    /// A function is called. What the library calls is its own matter.
    pub fn automata_call(&mut self, function: Symbol) {
        if self.context.link.is_users(self.unit) && !self.context.options.automata.is_empty() {
            self.automata_move(&Event::Call(function));
        }
    }

    /// The program ends.
    pub fn automata_end(&mut self) {
        if !self.context.options.automata.is_empty() {
            self.automata_move(&Event::End);
        }
    }

    fn automata_move(&mut self, event: &Event) {
        for automaton in self.context.automata() {
            let moves: Vec<_> = automaton.moves.iter().filter(|step| step.on == *event).collect();
            if moves.is_empty() {
                continue;
            }
            let state = self.context.internal(state(&automaton), false);
            self.atomically(|writer| {
                let now = writer.code.keep(state);
                for step in &moves {
                    if let Some(text) = automaton.errors.get(&step.to) {
                        let class = format!("{CLASS}{}", automaton.name);
                        writer.require(&class, build::ne(now, number(step.from)), text.as_str());
                    }
                }
                let stay = now;
                let next = moves
                    .iter()
                    .rev()
                    .fold(stay, |next, step| build::ite(build::eq(now, number(step.from)), number(step.to), next));
                writer.code.assign(state, next);
            });
        }
    }
}
