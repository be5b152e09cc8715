//! Reads witnesses of format 2.0. What the format has and Fathom does not know is refused with its name.

use super::graphml::read_graphml;
use source::{Diagnostic, FileId, SourceMap};
use yaml_rust2::{Yaml, YamlLoader};

/// A place in the program's text. Lines and columns count from 1.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Location {
    /// The name of the file; nothing where the witness does not tell it.
    pub file: Option<String>,
    pub line: u32,
    pub column: Option<u32>,
}

/// What a waypoint or an invariant says about the values there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Constraint {
    /// An expression of C. `\result` in it stands for what a function returned.
    Expression(String),
    /// Whether a branch is taken.
    Branch(bool),
    None,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Assumption,
    /// An assumption that holds when a statement is done.
    After,
    Target,
    FunctionEnter,
    FunctionReturn,
    Branching,
}

/// Something that an execution comes by.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Waypoint {
    pub kind: Kind,
    pub location: Location,
    pub constraint: Constraint,
    /// Executions that come by are not meant.
    pub is_avoided: bool,
}

/// Something that holds wherever control is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Invariant {
    pub location: Location,
    /// It holds whenever the loop's condition is about to be evaluated, not only before a statement.
    pub of_loop: bool,
    pub expression: String,
}

/// What a witness says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Content {
    /// Segments: each ends with a waypoint to be followed.
    Violation(Vec<Vec<Waypoint>>),
    Correctness(Vec<Invariant>),
}

/// A witness.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Witness {
    pub content: Content,
    /// SV-COMP's text of the property.
    pub specification: Option<String>,
    pub data_model: Option<String>,
    pub hashes: Vec<String>,
}

impl Witness {
    /// Whether executions are to come by something at such a location, other than the target.
    pub fn passes(&self, is_there: impl Fn(&Location) -> bool) -> bool {
        match &self.content {
            Content::Violation(segments) => {
                segments.iter().flatten().any(|one| is_there(&one.location) && one.kind != Kind::Target)
            }
            Content::Correctness(_) => false,
        }
    }
}

/// Reads a witness that `map` holds.
pub fn read(map: &SourceMap, file: FileId) -> Result<Witness, Diagnostic> {
    let problem = |message: String| Diagnostic::error(map.span_at(file, 1, 1), message);
    let text = String::from_utf8_lossy(map.text(file));
    if let Some(witness) = read_graphml(&text) {
        return witness.map_err(problem);
    }
    let documents = YamlLoader::load_from_str(&text).map_err(|error| {
        let place = map.span_at(file, error.marker().line() as u32, error.marker().col() as u32 + 1);
        Diagnostic::error(place, format!("this is no YAML: {}", error.info()))
    })?;
    let entries = match documents.first() {
        Some(Yaml::Array(entries)) => entries.as_slice(),
        _ => return Err(problem("expected a list of entries, as witnesses of format 2.0 are".to_string())),
    };
    let mut found = None;
    for entry in entries {
        let content = match entry["entry_type"].as_str() {
            Some("violation_sequence") => Content::Violation(segments(&entry["content"]).map_err(problem)?),
            Some("invariant_set") => Content::Correctness(invariants(&entry["content"]).map_err(problem)?),
            // As the format was before 2.0.
            Some("loop_invariant") => {
                let text = entry["loop_invariant"]["string"].as_str();
                let expression = text.ok_or_else(|| problem("expected the text of an invariant".to_string()))?;
                let location = location(entry).map_err(problem)?;
                Content::Correctness(vec![Invariant { location, of_loop: true, expression: expression.to_string() }])
            }
            // What others found out about such invariants says nothing about the program.
            Some("loop_invariant_certificate") => continue,
            Some(other) => return Err(problem(format!("expected a known type of entry, found `{other}`"))),
            None => return Err(problem("expected an `entry_type` in each entry".to_string())),
        };
        let task = &entry["metadata"]["task"];
        let string = |yaml: &Yaml| yaml.as_str().map(str::to_string);
        let hashes = match &task["input_file_hashes"] {
            Yaml::Hash(hashes) => hashes.values().filter_map(string).collect(),
            _ => Vec::new(),
        };
        let witness = Witness {
            content,
            specification: string(&task["specification"]),
            data_model: string(&task["data_model"]),
            hashes,
        };
        found = Some(match (found, witness) {
            (None, witness) => witness,
            // Sets of invariants may come in several entries.
            (Some(Witness { content: Content::Correctness(mut all), .. }), witness) => match witness.content {
                Content::Correctness(more) => {
                    all.extend(more);
                    Witness { content: Content::Correctness(all), ..witness }
                }
                Content::Violation(_) => return Err(problem("expected one kind of entries, found two".to_string())),
            },
            (Some(_), _) => return Err(problem("expected one sequence of waypoints, found another entry".to_string())),
        });
    }
    found.ok_or_else(|| problem("expected an entry, found none".to_string()))
}

fn list(yaml: &Yaml) -> Result<&[Yaml], String> {
    match yaml {
        Yaml::Array(items) => Ok(items),
        _ => Err("expected a list under `content`".to_string()),
    }
}

fn location(yaml: &Yaml) -> Result<Location, String> {
    let number = |name: &str| yaml["location"][name].as_i64().and_then(|n| u32::try_from(n).ok()).filter(|n| *n > 0);
    let line = number("line").ok_or("expected a `location` with the number of a line")?;
    let file = yaml["location"]["file_name"].as_str().map(str::to_string);
    Ok(Location { file, line, column: number("column") })
}

fn segments(content: &Yaml) -> Result<Vec<Vec<Waypoint>>, String> {
    let mut segments = Vec::new();
    for segment in list(content)? {
        let mut waypoints = Vec::new();
        for item in list(&segment["segment"]).map_err(|_| "expected a `segment` in each item of `content`")? {
            waypoints.push(waypoint(&item["waypoint"])?);
        }
        let Some((last, before)) = waypoints.split_last() else { return Err("expected waypoints in a segment".into()) };
        if last.is_avoided || before.iter().any(|waypoint| !waypoint.is_avoided) {
            return Err("expected a segment to end with its one waypoint to be followed".to_string());
        }
        segments.push(waypoints);
    }
    let is_target = |segment: &Vec<Waypoint>| segment.iter().any(|waypoint| waypoint.kind == Kind::Target);
    match segments.split_last() {
        Some((last, before)) if is_target(last) && !before.iter().any(is_target) => Ok(segments),
        _ => Err("expected the last segment, and no other, to lead to the target".to_string()),
    }
}

fn waypoint(yaml: &Yaml) -> Result<Waypoint, String> {
    let kind = match yaml["type"].as_str() {
        Some("assumption") => Kind::Assumption,
        Some("target") => Kind::Target,
        Some("function_enter") => Kind::FunctionEnter,
        Some("function_return") => Kind::FunctionReturn,
        Some("branching") => Kind::Branching,
        other => return Err(format!("expected a known type of waypoint, found `{}`", other.unwrap_or("nothing"))),
    };
    let is_avoided = match yaml["action"].as_str() {
        Some("follow") => false,
        Some("avoid") => true,
        other => return Err(format!("expected `follow` or `avoid`, found `{}`", other.unwrap_or("nothing"))),
    };
    let value = &yaml["constraint"]["value"];
    let constraint = match (kind, value) {
        (Kind::Branching, Yaml::Boolean(taken)) => Constraint::Branch(*taken),
        (Kind::Branching, value) => match value.as_str() {
            Some("true") => Constraint::Branch(true),
            Some("false") => Constraint::Branch(false),
            _ => return Err("expected `true` or `false` as the value of a branching".to_string()),
        },
        (Kind::Assumption | Kind::FunctionReturn, value) => match (value.as_str(), value.as_i64()) {
            (Some(text), _) => Constraint::Expression(text.to_string()),
            (None, Some(number)) => Constraint::Expression(number.to_string()),
            _ if kind == Kind::FunctionReturn => Constraint::None,
            _ => return Err("expected an expression as the value of an assumption".to_string()),
        },
        (Kind::Target | Kind::FunctionEnter | Kind::After, _) => Constraint::None,
    };
    Ok(Waypoint { kind, location: location(yaml)?, constraint, is_avoided })
}

fn invariants(content: &Yaml) -> Result<Vec<Invariant>, String> {
    let mut found = Vec::new();
    for item in list(content)? {
        let yaml = &item["invariant"];
        let of_loop = match yaml["type"].as_str() {
            Some("loop_invariant") => true,
            Some("location_invariant") => false,
            other => return Err(format!("expected a known type of invariant, found `{}`", other.unwrap_or("nothing"))),
        };
        let expression = match (yaml["value"].as_str(), yaml["value"].as_i64()) {
            (Some(text), _) => text.to_string(),
            (None, Some(number)) => number.to_string(),
            _ => return Err("expected the `value` of an invariant".to_string()),
        };
        found.push(Invariant { location: location(yaml)?, of_loop, expression });
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let mut map = SourceMap::new();
        let file = map.add("w.yml", text.as_bytes().to_vec());
        let found = match read(&map, file) {
            Ok(Witness { content: Content::Violation(segments), .. }) => format!("{} segments", segments.len()),
            Ok(Witness { content: Content::Correctness(all), .. }) => format!("{} invariants", all.len()),
            Err(diagnostic) => diagnostic.message,
        };
        assert_eq!(found, expected, "{text}");
    }

    fn violation(waypoints: &str) -> String {
        format!("- entry_type: violation_sequence\n  content:\n{waypoints}")
    }

    #[test]
    fn sequences_and_sets_are_read() {
        let target = "  - segment:\n    - waypoint: {type: target, action: follow, location: {line: 3, column: 1}}\n";
        let step = "  - segment:\n    - waypoint: {type: function_return, action: follow, location: {line: 2}, constraint: \
                    {value: \"\\\\result == 4\", format: acsl_expression}}\n";
        check(&violation(&format!("{step}{target}")), "2 segments");
        check(&violation(step), "expected the last segment, and no other, to lead to the target");
        check(&violation(&target.replace("target", "t")), "expected a known type of waypoint, found `t`");
        check(
            "- entry_type: invariant_set\n  content:\n  - invariant: {type: loop_invariant, location: {line: 1}, value: x > 0}\n\
             - entry_type: invariant_set\n  content:\n  - invariant: {type: location_invariant, location: {line: 2}, value: 1}\n",
            "2 invariants",
        );
        check("- entry_type: invariant_set\n  content: []\n", "0 invariants");
        check(
            "- entry_type: loop_invariant\n  location: {line: 22, column: 0}\n  loop_invariant: {string: x == y, format: C}\n\
             - entry_type: loop_invariant_certificate\n",
            "1 invariants",
        );
    }

    #[test]
    fn what_is_no_witness_is_refused() {
        check("", "expected a list of entries, as witnesses of format 2.0 are");
        check("[]", "expected an entry, found none");
        check("- {entry_type: other}", "expected a known type of entry, found `other`");
        check("- {entry_type: invariant_set}", "expected a list under `content`");
    }
}
