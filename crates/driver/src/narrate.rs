//! Tells a run of the interpreter as steps that mean something to a user.
//!
//! What frontends made up is left out: procedures whose names begin with a dollar sign, variables without a user's name,
//! steps that change nothing a user can see.

use crate::lines::Lines;
use crate::report::{Change, Event, TraceStep};
use ir::interp::{At, Observer, State};
use ir::{Edge, LocId, Op, ProcId, Program, Variable, memory};
use source::{Place, Symbol};
use std::collections::{BTreeMap, HashMap};
use term::{Op as TermOp, Term, Value, eval};

/// Names of the objects that there have been, by their identities.
pub type Objects = BTreeMap<u32, Symbol>;

/// Takes the steps as they happen, with the names of the objects that there have been until then.
pub type Sink<'a> = &'a mut dyn FnMut(TraceStep, &Objects);

/// An observer that narrates.
pub struct Narrator<'a> {
    program: &'a Program,
    variables: HashMap<Term, &'a Variable>,
    lines: Lines<'a>,
    sink: Sink<'a>,
    /// The activations of each thread, the innermost last.
    stacks: HashMap<u32, Vec<Activation<'a>>>,
    activations: u32,
    /// How many steps were told.
    pub told: usize,
    /// The edge that was executed last.
    last: Option<&'a Edge>,
    pub objects: Objects,
}

#[derive(Clone, Copy)]
struct Activation<'a> {
    number: u32,
    procedure: ProcId,
    /// How many activations of the user's procedures are around it.
    depth: u32,
    /// The call by which it was entered, in the caller.
    call: Option<&'a Edge>,
}

impl<'a> Narrator<'a> {
    pub fn new(program: &'a Program, lines: Lines<'a>, sink: Sink<'a>) -> Narrator<'a> {
        let locals = program.procedures.iter().flat_map(|p| p.parameters.iter().chain(&p.results).chain(&p.locals));
        let variables = program.globals.iter().chain(locals).map(|variable| (variable.term, variable)).collect();
        let objects = program.objects.iter().enumerate().map(|(i, object)| (i as u32 + 1, object.name)).collect();
        Narrator {
            program,
            variables,
            lines,
            sink,
            stacks: HashMap::new(),
            activations: 0,
            told: 0,
            last: None,
            objects,
        }
    }

    /// Forgets the calls that are open: the run went on untold. They are found again where it is told of.
    pub fn skip(&mut self) {
        self.stacks.clear();
        self.last = None;
    }

    fn is_internal(&self, procedure: ProcId) -> bool {
        self.program.procedure(procedure).name.as_str().starts_with('$')
    }

    fn push(&mut self, thread: u32, procedure: ProcId, call: Option<&'a Edge>) {
        let number = self.activations;
        self.activations += 1;
        let outer = self.stacks.get(&thread).and_then(|stack| stack.last());
        let depth = outer.map_or(0, |outer| outer.depth + u32::from(!self.is_internal(outer.procedure)));
        self.stacks.entry(thread).or_default().push(Activation { number, procedure, depth, call });
    }

    /// The innermost activation of the running thread.
    fn innermost(&mut self, state: &State) -> Option<Activation<'a>> {
        let thread = state.thread();
        if self.stacks.get(&thread).is_none_or(Vec::is_empty) {
            let mut call = None;
            for frame in state.stack().iter().rev() {
                self.push(thread, frame.procedure, call);
                let cfa = self.program.procedure(frame.procedure).body.as_ref().ok();
                call = cfa.zip(frame.edge).map(|(cfa, edge)| cfa.edge(edge));
            }
        }
        self.stacks.get(&thread)?.last().copied()
    }

    fn tell(&mut self, location: LocId, place: Option<Place>, event: Event, state: &State) {
        let Some(activation) = self.innermost(state).filter(|activation| !self.is_internal(activation.procedure))
        else {
            return;
        };
        let line = place.and_then(|place| self.lines.line(place));
        let function = self.program.procedure(activation.procedure).name;
        let Activation { number: frame, depth, .. } = activation;
        let step = TraceStep { thread: state.thread(), frame, depth, function, location, place, line, event };
        self.told += 1;
        (self.sink)(step, &self.objects);
    }

    /// What the function is given that execution starts with.
    fn tell_start(&mut self, procedure: ProcId, state: &State) {
        let callee = self.program.procedure(procedure);
        let mut arguments = self.changes(callee.parameters.iter().map(|parameter| parameter.term), state);
        // The strings of a `main` that does not look at them are not there.
        let is_unused = |change: &Change| matches!(change.value, Value::Pointer { object: 0, .. });
        arguments.retain(|argument| callee.name.as_str() != "main" || !is_unused(argument));
        if arguments.is_empty() {
            return;
        }
        if let Some(Value::Array(sizes)) = state.value(memory::size(self.program.data_model)) {
            for Change { name, value, .. } in &arguments {
                let (Some(name), Value::Pointer { object, .. }) = (name, value) else { continue };
                let is_object = |(index, _): &(&Value, &Value)| matches!(index, Value::Bv(own) if own.unsigned() == u128::from(*object));
                if let Some((_, Value::Bv(size))) = sizes.entries.iter().find(is_object)
                    && !memory::is_external(*object)
                {
                    let text = format!("object of {} bytes that {name} points to", size.unsigned());
                    self.objects.entry(*object).and_modify(|known| *known = Symbol::new(&text));
                }
            }
        }
        let event = Event::Call { function: callee.name, arguments };
        self.tell(LocId(0), callee.place, event, state);
    }

    /// The user's variables among these, with their values.
    fn changes(&self, variables: impl Iterator<Item = Term>, state: &State) -> Vec<Change> {
        variables
            .filter_map(|term| {
                let variable = self.variables.get(&term)?;
                let value = state.value(term)?;
                Some(Change { name: Some(variable.user_name?), type_name: variable.user_type, value })
            })
            .collect()
    }

    /// What a term stored in memory, if the variables that it mentions still tell.
    fn store(&self, term: Term, place: Option<Place>, state: &State) -> Option<Change> {
        let (TermOp::MemStore, [_, pointer, value]) = (term.op(), term.args()) else { return None };
        let assignment = |variable: Term| state.value(variable);
        let Value::Pointer { object, offset } = eval::evaluate(*pointer, &assignment)? else { return None };
        let value_stored = eval::evaluate(*value, &assignment)?;
        let target = (object as usize).checked_sub(1).and_then(|index| self.program.objects.get(index));
        let whole = |size: u64| offset.unsigned() == 0 && value.sort().bytes().is_some_and(|n| u64::from(n) == size);
        let written = place.and_then(|place| self.lines.rest(place)).and_then(assigned);
        let line = place.and_then(|place| self.lines.rest(Place { column: 1, ..place }));
        let size = value_stored.sort().bytes().unwrap_or(0);
        let number =
            (size > 0 && offset.unsigned() % u128::from(size) == 0).then(|| offset.unsigned() / u128::from(size));
        let known = self.objects.get(&object);
        let element =
            known.zip(number).filter(|(name, _)| line.is_some_and(|line| declares_array(line, name.as_str())));
        let written = written.or(element.map(|(name, number)| format!("{name}[{number}]")));
        let name = match (target, known, written) {
            (Some(target), ..) if whole(target.size) => target.name.to_string(),
            (_, _, Some(written)) => written,
            (_, Some(name), None) if offset.unsigned() == 0 => format!("*&{name}"),
            (_, Some(name), None) => format!("*(&{name} + {})", offset.signed()),
            (_, None, None) => format!("*(&object {object} + {})", offset.signed()),
        };
        Some(Change { name: Some(Symbol::new(&name)), type_name: None, value: value_stored })
    }

    /// Gives a name to the object that an edge makes: that of the local variable that it is, or of the line that asked
    /// for it.
    fn name_object(&mut self, edge: &Edge, state: &State) {
        let Op::Assign(pairs) = &edge.op else { return };
        let Some((variable, _)) = pairs.iter().find(|(_, value)| *value == memory::next()) else { return };
        let Some(Value::Bv(identity)) = state.value(*variable) else { return };
        let Ok(object) = u32::try_from(identity.unsigned()) else { return };
        let local =
            variable.name().and_then(|name| name.as_str().split_once("::&")).map(|(_, local)| Symbol::new(local));
        let by_line = || edge.place.map(|place| Symbol::new(&format!("object {object} (line {})", place.line)));
        if let Some(name) = local.or_else(by_line) {
            self.objects.insert(object, name);
        }
    }

    fn event(&self, edge: &Edge, is_branch: bool, state: &State) -> Option<Event> {
        let some = |changes: Vec<Change>| (!changes.is_empty()).then_some(changes);
        match &edge.op {
            Op::Assign(pairs) => {
                let mut changes = self.changes(pairs.iter().map(|(variable, _)| *variable), state);
                let stores =
                    pairs.iter().filter(|(variable, _)| variable.name().is_some_and(|n| n.as_str() == memory::MEMORY));
                changes.extend(stores.filter_map(|(_, term)| self.store(*term, edge.place, state)));
                some(changes).map(Event::Assign)
            }
            Op::Havoc(variables) => some(self.changes(variables.iter().copied(), state)).map(Event::Choose),
            Op::Call { procedure, results, .. } if self.program.procedure(*procedure).body.is_err() => {
                let chosen = results.iter().filter_map(|term| {
                    let variable = self.variables.get(term)?;
                    let value = state.value(*term)?;
                    Some(Change { name: variable.user_name, type_name: variable.user_type, value })
                });
                some(chosen.collect()).map(Event::Choose)
            }
            Op::Assume(_) => is_branch.then_some(Event::Branch),
            Op::Spawn { procedure, thread, .. } => {
                let number = match state.value(*thread)? {
                    Value::Bv(bits) => u32::try_from(bits.unsigned()).ok()?,
                    Value::Int(number) => u32::try_from(number).ok()?,
                    _ => return None,
                };
                let name = self.program.procedure(*procedure).name.as_str();
                // A thread may begin in a procedure that prepares it.
                let function = Symbol::new(name.rsplit(':').next().unwrap_or(name));
                Some(Event::Start { thread: number, function })
            }
            Op::Call { .. } | Op::AtomicBegin | Op::AtomicEnd => None,
        }
    }
}

/// What a statement assigns to, as its text has it: `rx.head` or `queue[(i + 1) % 8]`; nothing, if the text begins in another way.
fn assigned(text: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(text).ok()?;
    let (mut depth, mut end) = (0, None);
    for (at, letter) in text.char_indices() {
        match letter {
            '[' | '(' => depth += 1,
            ']' | ')' => depth -= 1,
            _ if depth > 0 => {}
            '=' => {
                end = Some(at);
                break;
            }
            // What is between the target and the sign of a compound assignment belongs to that.
            '+' | '-' | '*' | '/' | '%' | '&' | '|' | '^' | '<' | '>' => {}
            _ if letter.is_alphanumeric() || "_. ".contains(letter) => {}
            _ => return None,
        }
        if depth < 0 {
            return None;
        }
    }
    let left = text[..end?].trim_end();
    let target = left.trim_end_matches(['+', '-', '*', '/', '%', '&', '|', '^', '<', '>']);
    let sign = &left[target.len()..];
    let target = target.trim();
    // Outside of brackets there are names, dots and arrows, and stars in front; words beside each other are a declaration.
    let mut outside = String::new();
    let mut depth = 0;
    for letter in target.trim_start_matches('*').chars() {
        depth -= i32::from(matches!(letter, ']' | ')'));
        if depth == 0 && !matches!(letter, ']' | ')' | '[' | '(') {
            outside.push(letter);
        }
        depth += i32::from(matches!(letter, '[' | '('));
    }
    let names = outside.replace("->", ".");
    let is_target = !target.is_empty()
        && !text[end?..].starts_with("==")
        && !["<", ">"].contains(&sign)
        && (target.contains(['.', '[', '*']) || target.contains("->"))
        && names.chars().all(|letter| letter.is_alphanumeric() || "_.".contains(letter));
    is_target.then(|| target.to_string())
}

/// Whether a line declares an array of this name, of one dimension, of numbers.
fn declares_array(line: &[u8], name: &str) -> bool {
    let Ok(line) = std::str::from_utf8(line) else { return false };
    let Some((before, behind)) = line.split_once(&format!(" {name}[")) else { return false };
    let word = before.split_whitespace().next_back().unwrap_or_default();
    let is_number = ["char", "short", "int", "long", "unsigned", "signed", "float", "double", "size_t"].contains(&word)
        || word.strip_suffix("_t").is_some_and(|word| {
            let width = word.trim_start_matches('u').strip_prefix("int").unwrap_or_default();
            ["8", "16", "32", "64"].contains(&width)
        });
    is_number && behind.split_once(']').is_some_and(|(_, rest)| !rest.trim_start().starts_with('['))
}

/// Where an edge is in the source.
fn place_of(program: &Program, procedure: ProcId, edge: &Edge) -> Option<Place> {
    let cfa = program.procedure(procedure).body.as_ref().ok()?;
    edge.place.or(cfa.location(edge.from).place)
}

impl Observer for Narrator<'_> {
    fn edge(&mut self, at: &At, state: &State) {
        let (Some(id), Ok(cfa)) = (at.edge, &self.program.procedure(at.procedure).body) else { return };
        let edge = cfa.edge(id);
        self.last = Some(edge);
        // The activation must be known before the ones that it enters.
        self.innermost(state);
        self.name_object(edge, state);
        let is_branch = cfa.outgoing(edge.from).len() > 1;
        if let Some(event) = self.event(edge, is_branch, state) {
            self.tell(edge.from, place_of(self.program, at.procedure, edge), event, state);
        }
    }

    fn enter(&mut self, procedure: ProcId, state: &State) {
        let thread = state.thread();
        let caller = self.stacks.get(&thread).and_then(|stack| stack.last()).map(|caller| caller.procedure);
        if let (Some(caller), Some(edge), false) = (caller, self.last, self.is_internal(procedure)) {
            let callee = self.program.procedure(procedure);
            let arguments = self.changes(callee.parameters.iter().map(|parameter| parameter.term), state);
            let event = Event::Call { function: callee.name, arguments };
            self.tell(edge.from, place_of(self.program, caller, edge), event, state);
        }
        self.push(thread, procedure, self.last);
        let is_start = |caller: ProcId| caller == self.program.entry && self.is_internal(caller);
        if caller.is_some_and(is_start) && !self.is_internal(procedure) {
            self.tell_start(procedure, state);
        }
    }

    fn leave(&mut self, procedure: ProcId, state: &State) {
        let stack = self.stacks.get(&state.thread());
        let call = stack.and_then(|stack| stack.last()).and_then(|activation| activation.call);
        let targets: &[Term] = match call.map(|edge| &edge.op) {
            Some(Op::Call { results, .. }) => results,
            _ => &[],
        };
        let callee = self.program.procedure(procedure);
        if !self.is_internal(procedure) {
            let typed = callee.results.iter().zip(targets).filter_map(|(result, target)| {
                Some(Change { name: None, type_name: result.user_type, value: state.value(*target)? })
            });
            let event = Event::Return { function: callee.name, results: typed.collect() };
            let place = self.last.and_then(|edge| edge.place);
            self.tell(LocId(1), place, event, state);
        }
        self.stacks.get_mut(&state.thread()).and_then(Vec::pop);
        let assigned = self.changes(targets.iter().copied(), state);
        let caller = self.stacks.get(&state.thread()).and_then(|stack| stack.last()).map(|caller| caller.procedure);
        if let (Some(edge), Some(caller), false) = (call, caller, assigned.is_empty()) {
            let place = place_of(self.program, caller, edge);
            self.tell(edge.from, place, Event::Assign(assigned), state);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_are_known_by_their_declarations() {
        let check = |line: &str, expected: bool| assert_eq!(declares_array(line.as_bytes(), "a"), expected, "{line}");
        check("    int a[4] = {1, 2};", true);
        check("static const uint16_t a[] = {1};", true);
        check("int a[2][3] = {{1}};", false);
        check("struct point a[2] = {{1, 2}};", false);
        check("thing_t a[2] = {{1, 2}};", false);
        check("a[2] = 1;", false);
        check("int ba[2] = {1};", false);
    }

    /// What is assigned to is named as the statement has it.
    #[test]
    fn targets_of_assignments() {
        let check = |text: &str, expected: Option<&str>| assert_eq!(assigned(text.as_bytes()).as_deref(), expected);
        check("rx.head = (rx.head + 1) % SIZE;", Some("rx.head"));
        check("rb->data[rb->head] = c;", Some("rb->data[rb->head]"));
        check("queue[(i + 1) % 8] += 2;", Some("queue[(i + 1) % 8]"));
        check("*p = 1;", Some("*p"));
        check("p->next->prev = q;", Some("p->next->prev"));
        check("x.bits <<= 2;", Some("x.bits"));
        // Not assignments to a part of something, or not from the beginning.
        check("int a[2] = {1, 2};", None);
        check("x = 1;", None);
        check("a[0] == 1 ? f() : g();", None);
        check("a[0] <= 1;", None);
        check("a[0]++, b = 2;", None);
        check("memset(a, 0, 8);", None);
        check("f(a[0] = 1);", None);
        check("a[i", None);
    }
}
