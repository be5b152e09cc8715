//! The likely causes of a violation, in the words of the source.

use crate::lines::Lines;
use crate::load::Loaded;
use crate::report::{Cause, Causes, Change, Repair, Suspect, Violation, Was};
use engine::Run;
use ir::ProcId;
use localise::{Edit, Limits};
use source::{Place, SourceMap, Symbol};
use std::time::Duration;
use term::{Bv, Term, Value};

/// Which part of the time that is left may be spent.
const PART: u32 = 4;

/// Looks for the causes of a violation.
pub fn causes(loaded: &Loaded, violation: &Violation, longest: Duration, run: &Run) -> Causes {
    let time = run.time_left().map_or(longest, |left| longest.min(left / PART));
    let limits = Limits { cancel: run.cancel().clone(), memory: run.memory_limit(), deadline: None }.within(time);
    let found = localise::localise(&loaded.program, &violation.choices, violation.id, &limits);
    let mut sources = SourceMap::new();
    let texts = loaded.text(&mut sources);
    let mut teller = Teller { loaded, lines: Lines::new(&sources, &texts) };
    let told = |cause: &localise::Cause| Cause {
        suspects: cause.suspects.iter().map(|suspect| teller.suspect(suspect)).collect(),
        checked: cause.checked,
    };
    Causes { sets: found.causes.iter().map(told).collect(), remark: found.remark }
}

struct Teller<'a> {
    loaded: &'a Loaded,
    lines: Lines<'a>,
}

impl Teller<'_> {
    fn suspect(&mut self, suspect: &localise::Suspect) -> Suspect {
        let place = suspect.place;
        let line = self.lines.line(place);
        let text = excerpt(&self.lines, place).filter(|text| line.is_none_or(|line| line.as_str().contains(text)));
        let reads = suspect.reads.iter().map(|(variable, value)| self.change(Some(*variable), value)).collect();
        let was = match &suspect.was {
            localise::Was::Value { variable, value, instead } => {
                Was::Value { value: self.change(*variable, value), instead: instead.clone() }
            }
            localise::Was::Stored { at, instead } => Was::Stored { at: at.clone(), instead: instead.clone() },
            localise::Was::Condition(Some(held)) => Was::Condition(*held),
            localise::Was::Condition(None) => Was::Way,
            localise::Was::Repaired => Was::Repaired,
        };
        let repair = suspect.repair.map(|repair| {
            let text = text.as_deref().and_then(|text| {
                repaired(text, repair.edit, &|variable| self.name(variable), &|id| {
                    self.loaded.program.procedure(id).name
                })
            });
            Repair { text: text.map(|text| Symbol::new(&text)), others: repair.others }
        });
        let function = self.loaded.program.procedure(suspect.procedure).name;
        Suspect { function, place, line, text: text.map(|text| Symbol::new(&text)), was, reads, repair }
    }

    fn variable(&self, term: Term) -> Option<&ir::Variable> {
        let program = &self.loaded.program;
        let locals = program.procedures.iter().flat_map(|p| p.parameters.iter().chain(&p.results).chain(&p.locals));
        program.globals.iter().chain(locals).find(|variable| variable.term == term)
    }

    fn name(&self, term: Term) -> Option<Symbol> {
        self.variable(term)?.user_name
    }

    fn change(&self, variable: Option<Term>, value: &Value) -> Change {
        let declared = variable.and_then(|variable| self.variable(variable));
        Change {
            name: declared.and_then(|variable| variable.user_name),
            type_name: declared.and_then(|variable| variable.user_type),
            value: value.clone(),
        }
    }
}

/// The statement or condition at a place, as far as it stands in one line.
fn excerpt(lines: &Lines, place: Place) -> Option<String> {
    let row = lines.rest(Place { column: 1, ..place })?;
    let row = row.strip_suffix(b"\n").unwrap_or(row);
    let column = place.column.checked_sub(1)? as usize;
    let (before, after) = row.split_at_checked(column)?;
    let mut depth = 0;
    let mut start = before.len();
    for (i, byte) in before.iter().enumerate().rev() {
        match byte {
            b';' | b'{' | b'}' if depth == 0 => break,
            b')' => depth += 1,
            b'(' if depth > 0 => depth -= 1,
            b'(' => {
                let word = before[..i].trim_ascii_end().rsplit(|byte| !byte.is_ascii_alphabetic()).next();
                if matches!(word, Some(b"if" | b"while" | b"for" | b"switch")) {
                    break;
                }
            }
            _ => {}
        }
        start = i;
    }
    let mut open = before[start..].iter().fold(0, |open, byte| match byte {
        b'(' => open + 1,
        b')' => open - 1,
        _ => open,
    });
    let mut end = 0;
    for (i, byte) in after.iter().enumerate() {
        match byte {
            b';' | b'{' | b'}' if open <= 0 => break,
            b'(' => open += 1,
            b')' if open <= 0 => break,
            b')' => open -= 1,
            _ => {}
        }
        end = i + 1;
    }
    let text = String::from_utf8_lossy(&row[start..column + end]).trim().to_string();
    let text = without_label(&text).trim_start_matches("else ").trim().to_string();
    (!text.is_empty()).then_some(text)
}

fn without_label(text: &str) -> &str {
    let is_label = text.starts_with("case ") || text.starts_with("default");
    match text.split_once(':') {
        Some((_, rest)) if is_label && !rest.trim().is_empty() => rest.trim(),
        _ => text,
    }
}

/// The statement after an edit, if there is only one part of its text that the edit can mean.
fn repaired(
    text: &str,
    edit: Edit,
    name: &dyn Fn(Term) -> Option<Symbol>,
    called: &dyn Fn(ProcId) -> Symbol,
) -> Option<String> {
    let tokens = tokens(text);
    let put = |is_meant: &dyn Fn(&str) -> Option<String>| {
        let mut found = tokens.iter().enumerate().filter_map(|(i, token)| Some((i, is_meant(token)?)));
        let (at, new) = found.next()?;
        if found.next().is_some() {
            return None;
        }
        let parts = tokens.iter().enumerate().map(|(i, token)| if i == at { new.as_str() } else { token });
        Some(parts.collect::<String>())
    };
    match edit {
        Edit::Strictness => put(&|token| {
            let other = match token {
                "<" => "<=",
                "<=" => "<",
                ">" => ">=",
                ">=" => ">",
                _ => return None,
            };
            Some(other.to_string())
        }),
        Edit::Constant { from, to } => put(&|token| (number(token)? == from.signed()).then(|| written(to, token))),
        Edit::Operator { from, to } => put(&|token| (token == from && from != to).then(|| to.to_string())),
        Edit::Variable { from, to } => {
            let (from, to) = (name(from)?, name(to)?);
            put(&|token| (token == from.as_str()).then(|| to.to_string()))
        }
        Edit::Function { from, to } => {
            let (from, to) = (called(from), called(to));
            put(&|token| (token == from.as_str()).then(|| to.to_string()))
        }
        Edit::Negation | Edit::Operand | Edit::OffByOne | Edit::Relation => None,
    }
}

fn number(token: &str) -> Option<i128> {
    let digits = token.trim_end_matches(['u', 'U', 'l', 'L']);
    match digits.strip_prefix("0x").or(digits.strip_prefix("0X")) {
        Some(hexadecimal) => i128::from_str_radix(hexadecimal, 16).ok(),
        None => digits.parse().ok(),
    }
}

/// A constant, written as the one whose place it takes.
fn written(to: Bv, like: &str) -> String {
    if like.starts_with("0x") || like.starts_with("0X") {
        format!("{:#x}", to.unsigned())
    } else {
        to.signed().to_string()
    }
}

/// Words, numbers, operators and spaces, in order: together they are the text.
fn tokens(text: &str) -> Vec<&str> {
    const LONG: [&str; 19] = [
        "<<=", ">>=", "<=", ">=", "==", "!=", "&&", "||", "<<", ">>", "++", "--", "->", "+=", "-=", "*=", "|=", "&=",
        "^=",
    ];
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let word = |c: char| c.is_alphanumeric() || c == '_';
        let length = match LONG.iter().find(|operator| rest.starts_with(**operator)) {
            Some(operator) => operator.len(),
            None if word(first) => rest.find(|c| !word(c)).unwrap_or(rest.len()),
            None => first.len_utf8(),
        };
        let (token, after) = rest.split_at(length);
        tokens.push(token);
        rest = after;
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_are_cut_out_of_their_lines() {
        let mut sources = SourceMap::new();
        let row = b"  for (int i = 0; i <= n; i++) if (f(i) > 4) s += a[i] * (2 + i);\n  else case 3: g(x, y + 1);\n";
        let text = sources.add("t.i", row.to_vec());
        let lines = Lines::new(&sources, &[text]);
        let at = |line, column| excerpt(&lines, Place { file: Symbol::new("t.i"), line, column });
        let text = |text: &str| Some(text.to_string());
        assert_eq!(at(1, 16), text("int i = 0"));
        assert_eq!(at(1, 19), text("i <= n"));
        assert_eq!(at(1, 27), text("i++"));
        assert_eq!(at(1, 36), text("f(i) > 4"));
        assert_eq!(at(2, 24), text("case 3: g(x, y + 1)"));
        assert_eq!(at(9, 1), None);
    }

    #[test]
    fn edits_are_written_where_they_are_clear() {
        let no_name = |_: Term| None;
        let edited = |text, edit| repaired(text, edit, &no_name, &|_| Symbol::new("f"));
        assert_eq!(edited("i <= n", Edit::Strictness).as_deref(), Some("i < n"));
        assert_eq!(edited("i <= n && j < m", Edit::Strictness), None);
        let constant = Edit::Constant { from: Bv::new(32, 10), to: Bv::new(32, 9) };
        assert_eq!(edited("x[10] = y", constant).as_deref(), Some("x[9] = y"));
        assert_eq!(edited("x = 0xAu", constant).as_deref(), Some("x = 0x9"));
        assert_eq!(edited("x = 11", constant), None);
        let plus = Edit::Operator { from: "+", to: "-" };
        assert_eq!(edited("a + b++", plus).as_deref(), Some("a - b++"));
    }
}
