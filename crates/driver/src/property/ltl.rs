//! SV-COMP's property files: `CHECK( init(main()), LTL(G ! call(reach_error())) )`, any number of them.
//!
//! `COVER` goals, which some property files hold, ask for tests and are no properties: they are skipped. Formulas outside
//! the table below are kept by their text.

use super::Property;
use source::Symbol;

/// What a property file says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Specification {
    /// The function in which executions start; `None` if the file holds no property.
    pub entry: Option<Symbol>,
    pub properties: Vec<Property>,
}

/// Where a property is malformed: the offset in its text, and what was expected there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SyntaxError {
    pub offset: usize,
    pub expected: &'static str,
}

/// Reads the text of a property file. Comments are the lines that begin with `//` or `#`.
pub fn parse_ltl(text: &str) -> Result<Specification, SyntaxError> {
    let mut reader = Reader { text, offset: 0 };
    let mut entry = None;
    let mut properties = Vec::new();
    let mut is_empty = true;
    while reader.skip_blanks() {
        is_empty = false;
        let is_goal = reader.accept("COVER");
        if !is_goal {
            reader.expect("CHECK", "`CHECK`")?;
        }
        reader.expect("(", "`(`")?;
        reader.expect("init", "`init(FUNCTION())`")?;
        let start = reader.offset;
        let function = reader.parenthesised()?.trim();
        let Some(name) = function.strip_suffix(')').and_then(|f| f.trim_end().strip_suffix('(')).map(str::trim) else {
            return Err(SyntaxError { offset: start, expected: "a call such as `main()`" });
        };
        reader.expect(",", "`,`")?;
        reader.expect(if is_goal { "FQL" } else { "LTL" }, if is_goal { "`FQL(GOAL)`" } else { "`LTL(FORMULA)`" })?;
        let formula = reader.parenthesised()?;
        reader.expect(")", "`)`")?;
        if is_goal {
            continue;
        }
        let name = Symbol::new(name);
        if *entry.get_or_insert(name) != name {
            return Err(SyntaxError { offset: start, expected: "the same function in each `init`" });
        }
        properties.push(property_of(formula));
    }
    if is_empty {
        return Err(SyntaxError { offset: text.len(), expected: "`CHECK( init(main()), LTL(FORMULA) )`" });
    }
    Ok(Specification { entry, properties })
}

/// The property that a formula expresses.
fn property_of(formula: &str) -> Property {
    let compact: String = formula.chars().filter(|c| !c.is_whitespace()).collect();
    let fixed = match compact.as_str() {
        "G!call(reach_error())" | "G!call(__VERIFIER_error())" | "Gassert" => Some(Property::UnreachCall),
        "G!overflow" => Some(Property::NoOverflow),
        "Gvalid-deref" => Some(Property::ValidDeref),
        "Gvalid-free" => Some(Property::ValidFree),
        "Gvalid-memtrack" => Some(Property::ValidMemtrack),
        "Gvalid-memcleanup" => Some(Property::ValidMemcleanup),
        "G!data-race" => Some(Property::NoDataRace),
        "Fend" => Some(Property::Other(Symbol::new("termination"))),
        _ => None,
    };
    // Fathom's own properties are written alike.
    let own = || match Property::from_short_name(compact.strip_prefix('G')?)?[..] {
        [property] => Some(property),
        _ => None,
    };
    let label = || compact.strip_prefix("G!label(")?.strip_suffix(')').filter(|name| is_identifier(name));
    fixed.or_else(own).unwrap_or_else(|| match label() {
        Some(label) => Property::UnreachLabel(Symbol::new(label)),
        None => Property::Other(Symbol::new(&formula.split_whitespace().collect::<Vec<_>>().join(" "))),
    })
}

fn is_identifier(text: &str) -> bool {
    !text.is_empty()
        && !text.starts_with(|c: char| c.is_ascii_digit())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

struct Reader<'a> {
    text: &'a str,
    offset: usize,
}

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.offset..]
    }

    /// Skips white space and comments; whether anything is left.
    fn skip_blanks(&mut self) -> bool {
        loop {
            self.offset = self.text.len() - self.rest().trim_start().len();
            if !self.rest().starts_with("//") && !self.rest().starts_with('#') {
                return !self.rest().is_empty();
            }
            self.offset += self.rest().find('\n').unwrap_or(self.rest().len());
        }
    }

    fn accept(&mut self, token: &str) -> bool {
        self.skip_blanks();
        let found = self.rest().starts_with(token);
        if found {
            self.offset += token.len();
        }
        found
    }

    fn expect(&mut self, token: &str, expected: &'static str) -> Result<(), SyntaxError> {
        if self.accept(token) { Ok(()) } else { Err(SyntaxError { offset: self.offset, expected }) }
    }

    /// The text between an opening parenthesis and the closing one that matches it.
    fn parenthesised(&mut self) -> Result<&'a str, SyntaxError> {
        self.expect("(", "`(`")?;
        let mut depth = 1;
        for (at, c) in self.rest().char_indices() {
            match c {
                '(' => depth += 1,
                ')' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                let inside = &self.rest()[..at];
                self.offset += at + 1;
                return Ok(inside);
            }
        }
        Err(SyntaxError { offset: self.text.len(), expected: "`)`" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let found = match parse_ltl(text) {
            Ok(Specification { entry, properties }) => {
                let names: Vec<String> = properties.iter().map(|p| p.to_string()).collect();
                format!("{}: {}", entry.map_or("", Symbol::as_str), names.join(", "))
            }
            Err(SyntaxError { offset, expected }) => format!("{offset}: expected {expected}"),
        };
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn the_properties_of_sv_comp() {
        check("CHECK( init(main()), LTL(G ! call(reach_error())) )\n\n", "main: unreach-call");
        check("CHECK( init(main()), LTL(G ! call(__VERIFIER_error())) )", "main: unreach-call");
        check("CHECK( init(main()), LTL(G ! label(ERROR)) )", "main: unreach-label:ERROR");
        check("CHECK( init(main()), LTL(G ! overflow) )", "main: no-overflow");
        check("CHECK( init(main()), LTL(G ! data-race) )", "main: no-data-race");
        check("CHECK( init(main()), LTL(G valid-memcleanup) )", "main: valid-memcleanup");
        let memsafety = "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\n\
                         CHECK( init(main()), LTL(G valid-memtrack) )\n";
        check(memsafety, "main: valid-free, valid-deref, valid-memtrack");
    }

    #[test]
    fn spaces_comments_and_entries() {
        check("// a comment\n CHECK(init( f ( ) ),LTL( G!label( L1 ) ))", "f: unreach-label:L1");
        check("CHECK(init(main()),LTL(G !\n call( reach_error() )))", "main: unreach-call");
    }

    #[test]
    fn what_is_not_implemented_keeps_its_name() {
        check("CHECK( init(main()), LTL(F end) )", "main: termination");
        check("CHECK( init(main()), LTL(G (a  U b)) )", "main: G (a U b)");
        check("CHECK( init(main()), LTL(G ! call(f(int))) )", "main: G ! call(f(int))");
    }

    #[test]
    fn goals_for_tests_are_no_properties() {
        let goal = "COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )";
        check(&format!("{goal}\nCHECK( init(main()), LTL(G ! overflow) )"), "main: no-overflow");
        check(goal, ": ");
    }

    #[test]
    fn errors_have_their_place() {
        check("", "0: expected `CHECK( init(main()), LTL(FORMULA) )`");
        check("CHEK( init(main()), LTL(G valid-free) )", "0: expected `CHECK`");
        check("CHECK( init(main), LTL(G valid-free) )", "11: expected a call such as `main()`");
        check("CHECK( init(main()) LTL(G valid-free) )", "20: expected `,`");
        check("CHECK( init(main()), CTL(AG x) )", "21: expected `LTL(FORMULA)`");
        check("CHECK( init(main()), LTL(G valid-free )", "39: expected `)`");
        let two = "CHECK( init(f()), LTL(F end) ) CHECK( init(g()), LTL(F end) )";
        check(two, "42: expected the same function in each `init`");
    }
}
