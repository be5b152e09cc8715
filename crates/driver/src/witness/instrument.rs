//! Writes what a witness says into the text of a C program.
//!
//! A variable counts the waypoints that an execution came by, in their order; before the target, all of them must have been
//! met. An invariant that does not hold calls a function that an automaton watches. Nothing else of the program changes: lines
//! stay lines, and expressions of a witness must not have side effects, so every execution of the new text is one of the
//! program, as far as it goes.
//!
//! The text is not parsed. A place where something cannot be written for certain is refused.

use super::read::{Constraint, Invariant, Kind, Location, Waypoint};

/// The function that is called where an invariant does not hold.
pub const BROKEN: &str = "__fathom_invariant_is_broken";

const STATE: &str = "__fathom_waypoints";

/// A text, with what is to be written into it.
pub struct Instrumented<'a> {
    original: &'a str,
    /// The text with blanks for comments and directives, which nothing is written into. Offsets are the same.
    text: &'a str,
    /// The offsets at which lines begin.
    lines: Vec<usize>,
    insertions: Vec<(usize, usize, String)>,
    /// Whether expressions may compute, and not only compare: then they could be where a property is violated.
    may_compute: bool,
}

impl<'a> Instrumented<'a> {
    /// `text` is what [`without_directives`] makes of the original.
    pub fn new(original: &'a str, text: &'a str, may_compute: bool) -> Instrumented<'a> {
        let starts = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1);
        let lines = std::iter::once(0).chain(starts).collect();
        Instrumented { original, text, lines, insertions: Vec::new(), may_compute }
    }

    /// The new text. Its lines are those of the file that it came from. The first of several files has what they share.
    pub fn finish(mut self, file: &str, is_first: bool) -> String {
        // What was asked for first comes first at a place.
        self.insertions.sort_by_key(|(at, order, _)| (*at, *order));
        let mut out = match is_first {
            true => format!("unsigned {STATE}; void {BROKEN}(void) {{}}\n"),
            false => format!("extern unsigned {STATE}; void {BROKEN}(void);\n"),
        };
        // A line marker says that a text is preprocessed.
        if frontend_c::syntax::needs_preprocessor(self.original.as_bytes()) {
            out.push_str("#undef __FATHOM_WITNESS__\n");
        }
        out.push_str(&format!("# 1 {file:?}\n"));
        let mut from = 0;
        for (at, _, new) in &self.insertions {
            out.push_str(&self.original[from..*at]);
            out.push_str(new);
            from = *at;
        }
        out.push_str(&self.original[from..]);
        out
    }

    fn insert(&mut self, at: usize, text: String) {
        let order = self.insertions.len();
        self.insertions.push((at, order, text));
    }

    /// The offset of a location; without a column, of the first word in the line.
    fn offset(&self, location: &Location) -> Result<usize, String> {
        let line = location.line as usize;
        let start = *self.lines.get(line - 1).ok_or_else(|| format!("the program has no line {line}"))?;
        let end = self.lines.get(line).map_or(self.text.len(), |next| next - 1);
        let row = &self.text[start..end];
        let column = match location.column {
            Some(column) => column as usize - 1,
            None => row.len() - row.trim_start().len(),
        };
        let fits = column < row.len() && row.is_char_boundary(column);
        fits.then_some(start + column).ok_or_else(|| format!("line {line} has no column {}", column + 1))
    }

    /// Executions come by here when so many waypoints are behind them, or must not.
    pub fn waypoint(&mut self, waypoint: &Waypoint, number: usize) -> Result<(), String> {
        let mut at = self.offset(&waypoint.location)?;
        if waypoint.location.column.is_none() && waypoint.kind == Kind::FunctionReturn {
            at = self.input_in_line(at)?;
        }
        let is_next = format!("{STATE} == {number}u");
        let done = match waypoint.is_avoided {
            true => "__builtin_unreachable()".to_string(),
            false => format!("{STATE} = {}u", number + 1),
        };
        let passing = |condition: &str| format!("if ({is_next} && ({condition})) {done}; ");
        match (waypoint.kind, &waypoint.constraint) {
            (Kind::Assumption, Constraint::Expression(text)) => {
                let condition = self.expression(text)?;
                self.before_statement(at, passing(&condition))
            }
            (Kind::After, Constraint::Expression(text)) => {
                let condition = self.expression(text)?;
                self.after_statement(at, format!(" {}", passing(&condition)))
            }
            (Kind::Target, _) => {
                // A violation may be in the middle of a statement.
                let start = self.statement_around(at);
                let count = |sign: u8| self.text[..start].bytes().filter(|byte| *byte == sign).count();
                // The clause of a contract, or a function in one line: any violation in the line is meant.
                if count(b'{') <= count(b'}') {
                    return Ok(());
                }
                self.before_statement(start, format!("if (!({is_next})) __builtin_unreachable(); "))
            }
            (Kind::FunctionEnter, _) => {
                let start = self.call(at)?;
                self.insert(start, format!("({{ {}", passing("1")));
                self.insert(at + 1, "; })".to_string());
                Ok(())
            }
            (Kind::FunctionReturn, constraint) => {
                let start = self.call(at)?;
                let condition = match constraint {
                    Constraint::Expression(text) => self.expression(&text.replace("\\result", "__fathom_result"))?,
                    _ => "1".to_string(),
                };
                let call = &self.text[start..at + 1];
                self.insert(start, format!("({{ __typeof__({call}) __fathom_result = "));
                self.insert(at + 1, format!("; {}__fathom_result; }})", passing(&condition)));
                Ok(())
            }
            (Kind::Branching, Constraint::Branch(taken)) => {
                let (open, close) = self.condition(at)?;
                let wanted = if *taken { "__fathom_taken" } else { "!__fathom_taken" };
                self.insert(open + 1, "({ _Bool __fathom_taken = (".to_string());
                self.insert(close, format!("); {}__fathom_taken; }})", passing(wanted)));
                Ok(())
            }
            _ => Err("a waypoint without the constraint that it needs".to_string()),
        }
    }

    /// Whether a waypoint lies in the statement in which a target is.
    pub fn is_in_statement_of(&self, waypoint: &Waypoint, target: &Waypoint) -> bool {
        let (Ok(at), Ok(target)) = (self.offset(&waypoint.location), self.offset(&target.location)) else {
            return false;
        };
        let start = self.statement_around(target);
        let end = self.semicolons(start, self.text.len()).first().copied().unwrap_or(start);
        (start..=end).contains(&at)
    }

    /// Something must hold whenever control is here.
    pub fn invariant(&mut self, invariant: &Invariant) -> Result<(), String> {
        let at = self.offset(&invariant.location)?;
        let check = format!("if (!({})) {BROKEN}(); ", self.expression(&invariant.expression)?);
        if !invariant.of_loop {
            return self.before_statement(at, check);
        }
        let word = self.word(at);
        match word {
            "while" => {
                let (open, close) = self.condition(at)?;
                self.insert(open + 1, format!("({{ {check}1; }}) && ("));
                self.insert(close, ")".to_string());
                Ok(())
            }
            "for" => {
                let (open, close) = self.condition(at)?;
                let parts = self.semicolons(open + 1, close);
                let [first, second] = parts[..] else { return Err("a `for` that is not understood".to_string()) };
                let is_empty = self.text[first + 1..second].trim().is_empty();
                self.insert(first + 1, format!(" ({{ {check}1; }}) && ("));
                self.insert(second, if is_empty { "1)".to_string() } else { ")".to_string() });
                Ok(())
            }
            "do" => {
                let body = at + 2 + blanks(&self.text[at + 2..]);
                if self.text.as_bytes().get(body) != Some(&b'{') {
                    return Err("a `do` without a block".to_string());
                }
                self.insert(body + 1, format!(" {check}"));
                Ok(())
            }
            _ => Err(format!("no loop begins in line {}", invariant.location.line)),
        }
    }

    /// The expression, if it has no side effects.
    fn expression(&self, text: &str) -> Result<String, String> {
        let bytes = text.as_bytes();
        let is_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
        for (i, byte) in bytes.iter().enumerate() {
            let previous = i.checked_sub(1).map_or(b' ', |before| bytes[before]);
            let next = bytes.get(i + 1).copied().unwrap_or(b' ');
            let assigns = *byte == b'=' && next != b'=' && !matches!(previous, b'=' | b'!' | b'<' | b'>');
            let counts = matches!(byte, b'+' | b'-') && next == *byte;
            // A name before a parenthesis is a call, if it is no type or operator.
            let before = text[..i].trim_end();
            let word = before.rsplit(|c: char| !c.is_ascii_alphanumeric() && c != '_').next().unwrap_or("");
            let calls = *byte == b'(' && before.bytes().last().is_some_and(is_name) && word != "sizeof";
            if assigns || counts || calls || matches!(byte, b';' | b'{' | b'}' | b'"' | b'\\' | b'#') {
                return Err(format!("an expression that is more than a condition: {text}"));
            }
            let is_sign = *byte == b'-' && next.is_ascii_digit() && !is_name(previous) && previous != b')';
            let computes = matches!(byte, b'+' | b'*' | b'/' | b'%' | b'[' | b'.') || *byte == b'-' && !is_sign;
            let shifts = matches!(byte, b'<' | b'>') && next == *byte;
            if !self.may_compute && (computes || shifts) {
                return Err(format!("an expression that could violate the property itself: {text}"));
            }
        }
        let depth = bytes.iter().try_fold(0i32, |depth, byte| match byte {
            b'(' => Some(depth + 1),
            b')' => Some(depth - 1).filter(|depth| *depth >= 0),
            _ => Some(depth),
        });
        if depth != Some(0) {
            return Err(format!("parentheses that do not match: {text}"));
        }
        Ok(text.replace('\n', " "))
    }

    /// The word that begins at an offset.
    fn word(&self, at: usize) -> &'a str {
        let rest = &self.text[at..];
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
        &rest[..end]
    }

    /// The parenthesis that closes the first call in a line that asks for a value.
    fn input_in_line(&self, at: usize) -> Result<usize, String> {
        let line = self.text[at..].lines().next().unwrap_or_default();
        let start = line.find("__VERIFIER_nondet").ok_or("a line that asks for no value")?;
        self.condition(at + start).map(|(_, close)| close)
    }

    /// Writes a statement behind the one that begins here, which is no body of another.
    fn after_statement(&mut self, at: usize, new: String) -> Result<(), String> {
        let is_simple = !matches!(self.word(at), "if" | "while" | "for" | "do" | "switch" | "return" | "goto" | "else");
        let ends = self.semicolons(at, self.text.len());
        match ends.first() {
            Some(end) if is_simple && self.text[..at].trim_end().ends_with(['{', '}', ';', ':']) => {
                self.insert(end + 1, new);
                Ok(())
            }
            _ => Err("a place where no simple statement begins".to_string()),
        }
    }

    /// Executions that call a function which must not be called have come by so many waypoints.
    pub fn at_errors(&mut self, number: usize) {
        for call in ["reach_error();", "__VERIFIER_error();"] {
            let places: Vec<usize> = self.text.match_indices(call).map(|(at, _)| at).collect();
            for at in places {
                let start = self.statement_around(at);
                let check = format!("if (!({STATE} == {number}u)) __builtin_unreachable(); ");
                // A declaration of the function is no call, and where nothing can be written more executions count.
                if start == at || self.text[start..at].trim_end().ends_with(':') {
                    let _ = self.before_statement(at, check);
                }
            }
        }
    }

    /// Writes a statement before the one that begins here.
    fn before_statement(&mut self, at: usize, new: String) -> Result<(), String> {
        let before = self.text[..at].trim_end();
        let is_after = |word: &str| {
            before.strip_suffix(word).is_some_and(|rest| !rest.ends_with(|c: char| c.is_alphanumeric() || c == '_'))
        };
        if before.ends_with(['{', '}', ';', ':']) {
            self.insert(at, new);
            return Ok(());
        }
        if !(before.ends_with(')') || is_after("else") || is_after("do")) {
            return Err("a place where no statement begins".to_string());
        }
        // The statement is the whole body of something: both become a block.
        if matches!(self.word(at), "if" | "while" | "for" | "do" | "switch") {
            return Err("a statement with parts that is a body itself".to_string());
        }
        let ends = self.semicolons(at, self.text.len());
        let end = *ends.first().ok_or("a statement without an end")?;
        self.insert(at, format!("{{ {new}"));
        self.insert(end + 1, " }".to_string());
        Ok(())
    }

    /// The start of the innermost statement that a place is in, as far as it can be told; otherwise the place itself.
    fn statement_around(&self, at: usize) -> usize {
        let bytes = self.text.as_bytes();
        let mut depth = 0i32;
        let before = (0..at).rev().find(|i| {
            match bytes[*i] {
                b')' => depth += 1,
                b'(' => depth -= 1,
                b';' | b'{' | b'}' => return depth <= 0,
                _ => {}
            }
            false
        });
        let after = |end: usize| end + blanks(&self.text[end..]);
        let mut start = after(before.map_or(0, |i| i + 1));
        loop {
            let inner = match self.word(start) {
                "if" | "switch" | "while" | "for" => match self.condition(start) {
                    Ok((_, close)) if close < at => after(close + 1),
                    _ => return start,
                },
                word @ ("else" | "do") => after(start + word.len()),
                _ => return start.min(at),
            };
            if inner > at {
                return at;
            }
            start = inner;
        }
    }

    /// The start of the call that a parenthesis closes.
    fn call(&self, at: usize) -> Result<usize, String> {
        let bytes = self.text.as_bytes();
        if bytes.get(at) != Some(&b')') {
            return Err("a call whose closing parenthesis is elsewhere".to_string());
        }
        let mut depth = 0;
        let mut open = None;
        for i in (0..=at).rev() {
            match bytes[i] {
                b')' => depth += 1,
                b'(' => depth -= 1,
                b'"' | b'\'' => return Err("a call with literals".to_string()),
                _ => {}
            }
            if depth == 0 {
                open = Some(i);
                break;
            }
        }
        let open = open.ok_or("parentheses that do not match")?;
        let name = self.text[..open].trim_end();
        let start = name.len() - name.bytes().rev().take_while(|b| b.is_ascii_alphanumeric() || *b == b'_').count();
        if start == name.len() || bytes[start].is_ascii_digit() {
            return Err("a call of something that has no name".to_string());
        }
        Ok(start)
    }

    /// The parentheses behind a keyword.
    fn condition(&self, at: usize) -> Result<(usize, usize), String> {
        let after = at + self.word(at).len();
        let open = after + blanks(&self.text[after..]);
        let bytes = self.text.as_bytes();
        if bytes.get(open) != Some(&b'(') {
            return Err("a place where no condition begins".to_string());
        }
        let mut depth = 0;
        let mut in_literal = None;
        for (i, byte) in bytes.iter().enumerate().skip(open) {
            match (in_literal, byte) {
                (Some(quote), byte) if *byte == quote && bytes[i - 1] != b'\\' => in_literal = None,
                (Some(_), _) => {}
                (None, b'"' | b'\'') => in_literal = Some(*byte),
                (None, b'(') => depth += 1,
                (None, b')') => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return Ok((open, i));
            }
        }
        Err("parentheses that do not match".to_string())
    }

    /// The semicolons between two offsets that are in no parentheses and literals.
    fn semicolons(&self, from: usize, to: usize) -> Vec<usize> {
        let bytes = self.text.as_bytes();
        let mut found = Vec::new();
        let mut depth = 0i32;
        let mut in_literal = None;
        for i in from..to {
            match (in_literal, bytes[i]) {
                (Some(quote), byte) if byte == quote && bytes[i - 1] != b'\\' => in_literal = None,
                (Some(_), _) => {}
                (None, quote @ (b'"' | b'\'')) => in_literal = Some(quote),
                (None, b'(' | b'{' | b'[') => depth += 1,
                (None, b')' | b'}' | b']') => depth -= 1,
                (None, b';') if depth == 0 => found.push(i),
                _ => {}
            }
            if depth < 0 || found.len() > 2 {
                break;
            }
        }
        found
    }
}

/// A text with blanks for its comments and for its lines that are for a preprocessor.
pub fn without_directives(text: &str) -> String {
    let mut bytes = text.as_bytes().to_vec();
    let mut at = 0;
    let mut begins_line = true;
    while at < bytes.len() {
        let rest = &text.as_bytes()[at..];
        let ends = |end: &[u8]| rest.windows(end.len()).skip(2).position(|found| found == end).map(|n| n + 2);
        let (length, is_blank) = match rest {
            [b'/', b'*', ..] => (ends(b"*/").map_or(rest.len(), |n| n + 2), true),
            [b'/', b'/', ..] => (line_length(rest), true),
            [b'#', ..] if begins_line => (line_length(rest), true),
            [quote @ (b'"' | b'\''), ..] => (literal_length(rest, *quote), false),
            _ => (1, false),
        };
        begins_line = rest[0] == b'\n' || begins_line && (is_blank || rest[0].is_ascii_whitespace());
        if is_blank {
            bytes[at..at + length].iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
        }
        at += length;
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The length of a line, which goes on behind a backslash at its end.
fn line_length(text: &[u8]) -> usize {
    let is_end = |(i, byte): (usize, &u8)| *byte == b'\n' && (i == 0 || text[i - 1] != b'\\');
    text.iter().enumerate().position(is_end).unwrap_or(text.len())
}

fn literal_length(text: &[u8], quote: u8) -> usize {
    let mut at = 1;
    while let Some(byte) = text.get(at) {
        match byte {
            b'\\' => at += 2,
            b'\n' => return at,
            byte if *byte == quote => return at + 1,
            _ => at += 1,
        }
    }
    text.len()
}

fn blanks(text: &str) -> usize {
    text.len() - text.trim_start().len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn location(line: u32, column: u32) -> Location {
        Location { file: None, line, column: Some(column) }
    }

    /// The new text behind the line that names the file, or why there is none.
    fn check(text: &str, work: impl FnOnce(&mut Instrumented) -> Result<(), String>, expected: &str) {
        let mut instrumented = Instrumented::new(text, text, true);
        let found = match work(&mut instrumented) {
            Ok(()) => instrumented.finish("t.c", true).lines().skip(2).collect::<Vec<_>>().join("\n"),
            Err(why) => why,
        };
        assert_eq!(found, expected);
    }

    fn waypoint(kind: Kind, column: u32, constraint: Constraint) -> Waypoint {
        Waypoint { kind, location: location(1, column), constraint, is_avoided: false }
    }

    fn condition(text: &str) -> Constraint {
        Constraint::Expression(text.to_string())
    }

    #[test]
    fn waypoints_are_written() {
        let assumed = waypoint(Kind::Assumption, 8, condition("x > 1"));
        check(
            "{ x++; y = x; }",
            |text| text.waypoint(&assumed, 0),
            "{ x++; if (__fathom_waypoints == 0u && (x > 1)) __fathom_waypoints = 1u; y = x; }",
        );
        check(
            "if (x) y = x;",
            |text| text.waypoint(&assumed, 3),
            "if (x) { if (__fathom_waypoints == 3u && (x > 1)) __fathom_waypoints = 4u; y = x; }",
        );
        check(
            "{ y(); if (x) y = 1 / x; }",
            |text| text.waypoint(&waypoint(Kind::Target, 19, Constraint::None), 2),
            "{ y(); if (x) { if (!(__fathom_waypoints == 2u)) __builtin_unreachable(); y = 1 / x; } }",
        );
        check("int x, y;", |text| text.waypoint(&assumed, 0), "a place where no statement begins");
        check(
            "x = f(1);",
            |text| text.waypoint(&waypoint(Kind::FunctionReturn, 8, condition("\\result == 2")), 0),
            "x = ({ __typeof__(f(1)) __fathom_result = f(1); if (__fathom_waypoints == 0u && (__fathom_result == 2)) \
             __fathom_waypoints = 1u; __fathom_result; });",
        );
        check(
            "if (a && b) c();",
            |text| text.waypoint(&waypoint(Kind::Branching, 1, Constraint::Branch(false)), 0),
            "if (({ _Bool __fathom_taken = (a && b); if (__fathom_waypoints == 0u && (!__fathom_taken)) \
             __fathom_waypoints = 1u; __fathom_taken; })) c();",
        );
    }

    #[test]
    fn invariants_of_loops_are_written() {
        let invariant =
            |column| Invariant { location: location(1, column), of_loop: true, expression: "x".to_string() };
        let broken = "({ if (!(x)) __fathom_invariant_is_broken(); 1; })";
        check("while (y) z();", |text| text.invariant(&invariant(1)), &format!("while ({broken} && (y)) z();"));
        check("for (;;) z();", |text| text.invariant(&invariant(1)), &format!("for (; {broken} && (1);) z();"));
        check(
            "do { z(); } while (1);",
            |text| text.invariant(&invariant(1)),
            "do { if (!(x)) __fathom_invariant_is_broken();  z(); } while (1);",
        );
        check("x = 1;", |text| text.invariant(&invariant(1)), "no loop begins in line 1");
    }

    #[test]
    fn comments_and_directives_are_blanks() {
        let text = "a; /* x\n*/ b(\"/*\", '\\'');\n #if X \\\n Y\nc; // #else\n#else\nd";
        let expected = "a;     \n   b(\"/*\", '\\'');\n        \n  \nc;         \n     \nd";
        assert_eq!(without_directives(text), expected);
        let code = without_directives(text);
        let mut instrumented = Instrumented::new(text, &code, true);
        let target = Waypoint {
            kind: Kind::Assumption,
            location: location(7, 1),
            constraint: condition("x"),
            is_avoided: false,
        };
        assert_eq!(instrumented.waypoint(&target, 0), Ok(()));
        assert!(
            instrumented
                .finish("t.c", true)
                .ends_with("#else\nif (__fathom_waypoints == 0u && (x)) __fathom_waypoints = 1u; d")
        );
    }

    #[test]
    fn side_effects_are_refused() {
        for text in ["x = 1", "x++", "f(x)", "x; y", "(x", "x)", "x += 1", "\"a\"[0]"] {
            assert!(Instrumented::new("", "", true).expression(text).is_err(), "{text}");
        }
        for text in ["x == 1", "x <= 2 && y >= -3", "(unsigned int)x + 1u > 2u", "!(x != y)", "a[2] == *p"] {
            assert!(Instrumented::new("", "", true).expression(text).is_ok(), "{text}");
        }
        assert!(Instrumented::new("", "", false).expression("x + 1 > 0").is_err());
        assert!(Instrumented::new("", "", false).expression("x > -1").is_ok());
    }
}
