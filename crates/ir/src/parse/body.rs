//! Procedures: their signatures, locations and edges.

use super::cursor::Parsed;
use super::declarations::{Callee, KEYWORDS, Parser};
use super::locations::{Locations, Mention};
use crate::{Cfa, Edge, LocId, Location, LocationKind, Model, Op, ProcId, Procedure, Variable};
use source::{Place, Symbol};

/// A procedure whose callees are not resolved yet.
pub(super) struct Draft {
    /// Without its body, if it has one.
    pub procedure: Procedure,
    /// Where its name stands.
    pub start: usize,
    pub end: usize,
    body: Option<Body>,
}

/// The parts of a [`Cfa`].
type Body = (Vec<Location>, Vec<Edge>, LocId, LocId);

impl Draft {
    /// The procedure, with the numbers of the procedures that it calls.
    pub(super) fn finish(self, id: impl Fn(Callee) -> ProcId) -> Procedure {
        let mut procedure = self.procedure;
        if let Some((locations, mut edges, entry, exit)) = self.body {
            for edge in &mut edges {
                if let Op::Call { procedure, .. } | Op::Spawn { procedure, .. } = &mut edge.op {
                    *procedure = id(*procedure);
                }
            }
            procedure.body = Ok(Cfa::new(locations, edges, entry, exit));
        }
        procedure
    }
}

/// An edge before its locations have numbers.
struct Step {
    from: Mention,
    to: Mention,
    op: Op,
    place: Option<Place>,
}

impl<'a> Parser<'a> {
    pub(super) fn procedure(&mut self) -> Parsed<()> {
        self.scope.enter_procedure();
        let name = self.cursor.name("a procedure")?;
        let end = self.cursor.position();
        let (parameters, variadic) = self.parameters()?;
        let mut results = Vec::new();
        if self.cursor.eat_word("returns") {
            self.list(|parser| {
                results.push(parser.variable(false)?);
                Ok(())
            })?;
        }
        let model = if self.cursor.eat_word("benign") {
            Some(Model::Benign)
        } else if self.cursor.eat_word("unknown") {
            Some(Model::Unknown)
        } else {
            None
        };
        let place = self.cursor.place()?;
        let mut procedure = Procedure {
            name: name.symbol(),
            parameters,
            variadic,
            results,
            locals: Vec::new(),
            body: Err(model.unwrap_or(Model::Unknown)),
            place,
        };
        let mut body = None;
        if model.is_some() {
            self.cursor.end_of_line()?;
        } else if self.cursor.eat("{") {
            body = self.body(&mut procedure.locals);
        } else {
            return Err(self.cursor.expected("`benign`, `unknown` or `{`"));
        }
        self.add(Draft { procedure, start: name.start, end, body });
        Ok(())
    }

    /// The parameters, and whether they end with `...`.
    fn parameters(&mut self) -> Parsed<(Vec<Variable>, bool)> {
        let mut parameters = Vec::new();
        let mut variadic = false;
        self.list(|parser| {
            let name = parser.cursor.name("a parameter, `...` or `)`")?;
            if name.is("...") && parser.cursor.looking_at(")") {
                variadic = true;
            } else {
                parameters.push(parser.named_variable(&name, false)?);
            }
            Ok(())
        })?;
        Ok((parameters, variadic))
    }

    /// The lines of a body up to its end; nothing if there are errors in it.
    fn body(&mut self, locals: &mut Vec<Variable>) -> Option<Body> {
        let mut locations = Locations::new();
        let mut steps = Vec::new();
        let mut failed = false;
        loop {
            if !self.cursor.next_line() || self.at_declaration() {
                let failure = self.cursor.expected("`}`");
                self.fail(failure);
                return None;
            }
            if self.cursor.eat("}") {
                break;
            }
            if let Err(failure) = self.line(&mut locations, locals, &mut steps) {
                self.fail(failure);
                failed = true;
                self.cursor.skip_line();
            }
            if !self.going_on() {
                return None;
            }
        }
        if let Err(failure) = self.cursor.end_of_line() {
            self.fail(failure);
            self.cursor.skip_line();
        }
        if failed {
            return None;
        }
        match locations.resolve(steps.iter().flat_map(|step| [step.from, step.to])) {
            Ok(resolved) => {
                let edge = |Step { from, to, op, place }| Edge {
                    from: resolved.number(from),
                    to: resolved.number(to),
                    op,
                    place,
                };
                let edges = steps.into_iter().map(edge).collect();
                Some((resolved.locations, edges, resolved.entry, resolved.exit))
            }
            Err(failure) => {
                self.fail(failure);
                None
            }
        }
    }

    fn line(&mut self, locations: &mut Locations<'a>, locals: &mut Vec<Variable>, steps: &mut Vec<Step>) -> Parsed<()> {
        let word = self.cursor.peek_word();
        let start = self.cursor.position();
        self.cursor.jump(start + word.len());
        match word {
            "" => return Err(self.cursor.expected("an edge, `local`, `location`, `entry`, `exit` or `}`")),
            "local" => locals.push(self.variable(false)?),
            "location" => self.location(locations)?,
            _ if self.cursor.eat("->") => {
                let from = locations.word(word, start)?;
                let to = locations.mention(&mut self.cursor)?;
                let op = if self.cursor.eat(":") { self.op()? } else { Op::skip() };
                let place = self.cursor.place()?;
                steps.push(Step { from, to, op, place });
            }
            "entry" | "exit" => {
                let is = locations.mention(&mut self.cursor)?;
                if matches!(is, Mention::Entry | Mention::Exit) {
                    return Err(self.cursor.failure(start, format!("expected another location that is the {word}")));
                }
                locations.set_end(word == "entry", is);
            }
            _ => return Err(self.cursor.expected("`->`")),
        }
        self.cursor.end_of_line()
    }

    /// Whether a declaration starts here, and no edge from a location of that name.
    fn at_declaration(&mut self) -> bool {
        let word = self.cursor.peek_word();
        if !KEYWORDS.contains(&word) {
            return false;
        }
        let start = self.cursor.position();
        self.cursor.jump(start + word.len());
        let edge = self.cursor.looking_at("->");
        self.cursor.jump(start);
        !edge
    }

    fn location(&mut self, locations: &mut Locations<'a>) -> Parsed<()> {
        self.cursor.peek();
        let start = self.cursor.position();
        let mention = locations.mention(&mut self.cursor)?;
        let end = self.cursor.position();
        let kind = if self.cursor.eat_word("error") {
            LocationKind::Error(self.property_id()?)
        } else if self.cursor.eat_word("end") {
            LocationKind::End
        } else if self.cursor.eat_word("unsupported") {
            LocationKind::Unsupported(Symbol::new(&self.cursor.string("between double quotes, what is not supported")?))
        } else {
            LocationKind::Plain
        };
        let label = match self.cursor.eat_word("label") {
            true => Some(self.cursor.name("a label")?.symbol()),
            false => None,
        };
        let place = self.cursor.place()?;
        locations.declare(mention, Location { kind, label, place }, start, end);
        Ok(())
    }
}
