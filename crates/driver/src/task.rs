//! SV-COMP's task definitions: a YAML file that names a program, its properties and its data model.
//!
//! The verdicts that such a file expects are not read: they must not be able to influence an answer.

use ir::DataModel;
use source::{Diagnostic, FileId, Severity, SourceMap};
use std::path::{Path, PathBuf};
use yaml_rust2::{Yaml, YamlLoader};

/// What a task definition asks for. Paths are as they are found from the current folder.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Task {
    pub program: PathBuf,
    pub property_files: Vec<PathBuf>,
    pub data_model: Option<DataModel>,
}

/// Reads a task definition that `map` holds. `path` says where it lies: it names its files relative to that.
pub fn parse_task(map: &SourceMap, file: FileId, path: &Path) -> Result<Task, Diagnostic> {
    let problem = |message: String| Diagnostic::error(map.span_at(file, 1, 1), message);
    let text = String::from_utf8_lossy(map.text(file));
    let documents = YamlLoader::load_from_str(&text).map_err(|error| {
        let place = map.span_at(file, error.marker().line() as u32, error.marker().col() as u32 + 1);
        Diagnostic::error(place, format!("this is no YAML: {}", error.info()))
    })?;
    let task = documents.first().unwrap_or(&Yaml::BadValue);
    let folder = path.parent().unwrap_or(Path::new(""));

    let inputs = match &task["input_files"] {
        Yaml::Array(files) => files.iter().map(Yaml::as_str).collect(),
        one => vec![one.as_str()],
    };
    let [Some(program)] = inputs[..] else {
        let count = inputs.len();
        let found = if count > 1 { format!("{count} programs") } else { "none".to_string() };
        return Err(problem(format!("expected `input_files` with the name of one program, found {found}")));
    };

    let mut property_files = Vec::new();
    if let Yaml::Array(properties) = &task["properties"] {
        for property in properties {
            let Some(name) = property["property_file"].as_str() else {
                return Err(problem("expected a `property_file` in each of the `properties`".to_string()));
            };
            property_files.push(folder.join(name));
        }
    }

    let data_model = match &task["options"]["data_model"] {
        Yaml::BadValue => None,
        given => match given.as_str() {
            Some("ILP32") => Some(DataModel::Ilp32),
            Some("LP64") => Some(DataModel::Lp64),
            _ => return Err(problem("expected ILP32 or LP64 as the `data_model`".to_string())),
        },
    };
    Ok(Task { program: folder.join(program), property_files, data_model })
}

/// The diagnostic for a file that cannot be read.
pub fn unreadable(path: &Path, error: &std::io::Error) -> Diagnostic {
    Diagnostic::without_place(Severity::Error, format!("cannot read {}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let mut map = SourceMap::new();
        let path = Path::new("tasks/t.yml");
        let file = map.add("tasks/t.yml", text.into());
        let found = match parse_task(&map, file, path) {
            Ok(Task { program, property_files, data_model }) => {
                format!("{} {property_files:?} {data_model:?}", program.display())
            }
            Err(diagnostic) => {
                let place = diagnostic.primary.map(|label| map.place(label.span).to_string());
                format!("{}: {}", place.unwrap_or_default(), diagnostic.message)
            }
        };
        assert_eq!(found, expected);
    }

    #[test]
    fn a_task_names_program_properties_and_data_model() {
        check(
            "format_version: '2.0'\ninput_files: 'a.i'\nproperties:\n  - property_file: ../p/unreach-call.prp\n    \
             expected_verdict: false\noptions:\n  language: C\n  data_model: LP64\n",
            r#"tasks/a.i ["tasks/../p/unreach-call.prp"] Some(Lp64)"#,
        );
        check("input_files: [a.c]", "tasks/a.c [] None");
        check("input_files: a.c\noptions: {data_model: ILP32}", "tasks/a.c [] Some(Ilp32)");
    }

    #[test]
    fn errors_have_their_place() {
        check("a: 1", "tasks/t.yml:1:1: expected `input_files` with the name of one program, found none");
        check(
            "input_files: [a.c, b.c]",
            "tasks/t.yml:1:1: expected `input_files` with the name of one program, found 2 programs",
        );
        check("", "tasks/t.yml:1:1: expected `input_files` with the name of one program, found none");
        check("a: [b\n c: }", "tasks/t.yml:2:3: this is no YAML: illegal placement of ':' indicator");
        check(
            "input_files: a.c\nproperties:\n  - expected_verdict: true",
            "tasks/t.yml:1:1: expected a `property_file` in each of the `properties`",
        );
        check(
            "input_files: a.c\noptions: {data_model: LLP64}",
            "tasks/t.yml:1:1: expected ILP32 or LP64 as the `data_model`",
        );
    }
}
