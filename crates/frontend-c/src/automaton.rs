//! Type-state automata as users write them: which calls must not follow each other.
//!
//! ```text
//! # A file is opened before it is read, and closed in the end.
//! automaton file
//! start closed
//! error wrong the file is not open
//! error leak  the file is still open
//! closed -> open   on open_file
//! open   -> closed on close_file
//! closed -> wrong  on read_file
//! closed -> wrong  on close_file
//! open   -> leak   at end
//! ```
//!
//! A state is what a line mentions. In a state without a move for an event, the automaton stays where it is. `at end` is when
//! `main` returns or `exit` is called.

use rustc_hash::FxHashMap;
use source::{Diagnostic, FileId, SourceMap, Span, Symbol};

/// One automaton. States are numbers.
#[derive(Clone, PartialEq, Debug)]
pub struct Automaton {
    pub name: Symbol,
    pub start: usize,
    /// The states that must not be reached, and what it means if one is.
    pub errors: FxHashMap<usize, Symbol>,
    pub moves: Vec<Move>,
}

/// A step from a state to another.
#[derive(Clone, PartialEq, Debug)]
pub struct Move {
    pub from: usize,
    pub to: usize,
    pub on: Event,
}

/// What makes an automaton move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// A function of this name is called.
    Call(Symbol),
    /// The program ends, other than by `abort`.
    End,
}

/// Automata with more states are refused.
const MOST_STATES: usize = 1000;

/// Reads an automaton that `map` holds.
pub fn parse(map: &SourceMap, file: FileId) -> Result<Automaton, Diagnostic> {
    let mut reader = Reader::default();
    let mut start = 0u32;
    for bytes in map.text(file).split_inclusive(|byte| *byte == b'\n') {
        let span = Span::new(file, start, start + bytes.trim_ascii_end().len() as u32);
        start += bytes.len() as u32;
        let line = String::from_utf8_lossy(bytes);
        let line = line.split('#').next().unwrap_or_default();
        reader.line(line).map_err(|message| Diagnostic::error(span, message))?;
    }
    let end = Span::new(file, start, start);
    let missing = |what: &str| Diagnostic::error(end, format!("expected {what} in the automaton"));
    let name = reader.name.ok_or_else(|| missing("a line `automaton NAME`"))?;
    let first = reader.start.ok_or_else(|| missing("a line `start STATE`"))?;
    if reader.errors.is_empty() {
        return Err(missing("a line `error STATE TEXT`"));
    }
    if reader.states.len() > MOST_STATES {
        return Err(missing(&format!("at most {MOST_STATES} states")));
    }
    Ok(Automaton { name, start: first, errors: reader.errors, moves: reader.moves })
}

#[derive(Default)]
struct Reader {
    name: Option<Symbol>,
    start: Option<usize>,
    errors: FxHashMap<usize, Symbol>,
    moves: Vec<Move>,
    states: FxHashMap<Symbol, usize>,
}

impl Reader {
    fn state(&mut self, name: &str) -> usize {
        let next = self.states.len();
        *self.states.entry(Symbol::new(name)).or_insert(next)
    }

    fn line(&mut self, line: &str) -> Result<(), String> {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            [] => {}
            ["automaton", name] if self.name.is_none() => self.name = Some(Symbol::new(name)),
            ["automaton", _] => return Err("expected one automaton in a file, found another".to_string()),
            ["start", state] if self.start.is_none() => self.start = Some(self.state(state)),
            ["start", _] => return Err("expected one state to start in, found another".to_string()),
            ["error", state, ref text @ ..] => {
                let state_number = self.state(state);
                let text = if text.is_empty() { format!("state {state} is reached") } else { text.join(" ") };
                self.errors.insert(state_number, Symbol::new(&text));
            }
            [from, "->", to, "on", function] => self.add(from, to, Event::Call(Symbol::new(function)))?,
            [from, "->", to, "at", "end"] => self.add(from, to, Event::End)?,
            _ => {
                let forms = "`automaton NAME`, `start STATE`, `error STATE TEXT`, `STATE -> STATE on FUNCTION` or `STATE -> STATE at end`";
                return Err(format!("expected {forms}"));
            }
        }
        Ok(())
    }

    fn add(&mut self, from: &str, to: &str, on: Event) -> Result<(), String> {
        let step = Move { from: self.state(from), to: self.state(to), on };
        if self.moves.iter().any(|known| known.from == step.from && known.on == step.on) {
            return Err(format!("expected one move from {from} on this event, found another"));
        }
        self.moves.push(step);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let mut map = SourceMap::new();
        let file = map.add("a.automaton", text.as_bytes().to_vec());
        let found = match parse(&map, file) {
            Ok(automaton) => {
                format!("{}: {} errors, {} moves", automaton.name, automaton.errors.len(), automaton.moves.len())
            }
            Err(diagnostic) => {
                let place = diagnostic.primary.map(|label| map.place(label.span).to_string());
                format!("{}: {}", place.unwrap_or_default(), diagnostic.message)
            }
        };
        assert_eq!(found, expected);
    }

    #[test]
    fn automata_are_read() {
        let lines = "# locks\nautomaton lock\nstart free\nerror bad locked twice\nfree -> held on lock\n\
                     held -> bad on lock # twice\nheld -> free on unlock\nheld -> bad at end\n";
        check(lines, "lock: 1 errors, 4 moves");
    }

    #[test]
    fn mistakes_have_their_places() {
        check("", "a.automaton:1:1: expected a line `automaton NAME` in the automaton");
        check("automaton a\nautomaton b\n", "a.automaton:2:1: expected one automaton in a file, found another");
        check("automaton a\nstart s\n", "a.automaton:3:1: expected a line `error STATE TEXT` in the automaton");
        check(
            "automaton a\ns -> t on f\ns -> u on f\n",
            "a.automaton:3:1: expected one move from s on this event, found another",
        );
        check(
            "what is this\n",
            "a.automaton:1:1: expected `automaton NAME`, `start STATE`, `error STATE TEXT`, \
             `STATE -> STATE on FUNCTION` or `STATE -> STATE at end`",
        );
    }
}
