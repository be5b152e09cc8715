//! Clang's JSON compilation database (`compile_commands.json`): the files of a program, each with the options that it is
//! compiled with.
//!
//! Options that neither the preprocessor nor the language depends on are left out. Those that change what C's types are, and
//! that the frontend cannot follow, are refused by name.

use frontend_c::SourceFile;
use ir::DataModel;
use source::{Diagnostic, Severity};
use std::collections::HashSet;
use std::path::{Component, Path, PathBuf};

/// The C files of a compilation database.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Database {
    pub files: Vec<SourceFile>,
    /// What `-m32` and `-m64` say, if they say something.
    pub data_model: Option<DataModel>,
}

/// Options whose argument is a path, which the compiler finds from the folder where it runs.
const PATHS: [&str; 6] = ["-isystem", "-iquote", "-idirafter", "-include", "-imacros", "-I"];
/// Options with another argument that matters.
const VALUES: [&str; 2] = ["-D", "-U"];
/// Options with an argument that does not matter here.
const SKIPPED: [&str; 8] = ["-o", "-MF", "-MT", "-MQ", "-x", "-arch", "-Xclang", "-T"];
/// Options that change the language or what headers say.
const KEPT: [&str; 6] = ["-ansi", "-pthread", "-nostdinc", "-undef", "-fgnu89-inline", "-ffreestanding"];
/// Options that change types in a way that the frontend does not follow.
const REFUSED: [&str; 5] = ["-funsigned-char", "-fshort-enums", "-fpack-struct", "-fshort-wchar", "-mx32"];

/// Reads a database. Of all C files in it, those that are `wanted` count, or all if none is named; one that is wanted and not
/// listed has no options of its own.
pub fn read(path: &Path, wanted: &[PathBuf]) -> Result<Database, Vec<Diagnostic>> {
    let problem = |message: String| vec![Diagnostic::without_place(Severity::Error, message)];
    let text = std::fs::read(path).map_err(|error| problem(format!("cannot read {}: {error}", path.display())))?;
    let listed: serde_json::Value =
        serde_json::from_slice(&text).map_err(|error| problem(format!("{} is no JSON: {error}", path.display())))?;
    let entries = listed.as_array().ok_or_else(|| problem(format!("{} holds no list of commands", path.display())))?;
    let base = path.parent().unwrap_or(Path::new(""));
    let mut units = Vec::new();
    let mut seen = HashSet::new();
    for entry in entries {
        let unit = Unit::read(entry, base).map_err(|why| problem(format!("{}: {why}", path.display())))?;
        let is_c = unit.file.path.extension().is_some_and(|extension| extension == "c" || extension == "i");
        // A file that is compiled twice, for a static and a shared library say, is one file of the program.
        if is_c && seen.insert(identity(&unit.file.path)) {
            units.push(unit);
        }
    }
    if !wanted.is_empty() {
        units = wanted.iter().map(|file| Unit::of(&units, file)).collect();
    }
    if units.is_empty() {
        return Err(problem(format!("{} lists no C file", path.display())));
    }
    let refused = units.iter().filter_map(|unit| Some((unit.file.path.display(), unit.refused.as_ref()?)));
    let refused: Vec<Diagnostic> = refused
        .flat_map(|(file, option)| problem(format!("{file} is compiled with {option}, which is not supported")))
        .collect();
    if !refused.is_empty() {
        return Err(refused);
    }
    let models: HashSet<DataModel> = units.iter().filter_map(|unit| unit.data_model).collect();
    if models.len() > 1 {
        return Err(problem(format!("{} has files for 32 bits and for 64 bits", path.display())));
    }
    let data_model = models.into_iter().next();
    Ok(Database { files: units.into_iter().map(|unit| unit.file).collect(), data_model })
}

/// A file as it is compiled.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Unit {
    file: SourceFile,
    data_model: Option<DataModel>,
    refused: Option<String>,
}

impl Unit {
    /// The unit of a file that the user names.
    fn of(units: &[Unit], file: &Path) -> Unit {
        let listed = units.iter().find(|unit| identity(&unit.file.path) == identity(file)).cloned();
        listed.unwrap_or_else(|| Unit { file: SourceFile::new(file), data_model: None, refused: None })
    }

    fn read(entry: &serde_json::Value, base: &Path) -> Result<Unit, String> {
        let text = |key: &str| entry.get(key).and_then(|value| value.as_str());
        let directory = base.join(text("directory").unwrap_or(""));
        let file = text("file").ok_or("an entry has no `file`")?;
        let words = match (entry.get("arguments").and_then(|list| list.as_array()), text("command")) {
            (Some(list), _) => list.iter().filter_map(|word| word.as_str()).map(str::to_string).collect(),
            (None, Some(command)) => split(command)?,
            (None, None) => return Err(format!("the entry of {file} has neither `arguments` nor `command`")),
        };
        let path = from_here(&directory.join(file));
        let mut unit = Unit { file: SourceFile { path, arguments: Vec::new() }, data_model: None, refused: None };
        // The first word is the compiler.
        let mut words = words.into_iter().skip(1);
        while let Some(word) = words.next() {
            unit.add(&word, &mut words, &directory);
        }
        Ok(unit)
    }

    fn add(&mut self, word: &str, rest: &mut impl Iterator<Item = String>, directory: &Path) {
        let arguments = &mut self.file.arguments;
        if SKIPPED.contains(&word) {
            rest.next();
        } else if let Some(option) = PATHS.iter().find(|option| word.starts_with(**option)) {
            let path = if word == *option { rest.next().unwrap_or_default() } else { word[option.len()..].to_string() };
            let found = directory.join(&path);
            // A file that is not in the folder is looked for in the folders of headers.
            let is_header = matches!(*option, "-include" | "-imacros") && !found.exists();
            let path = if is_header { path } else { from_here(&found).to_string_lossy().into_owned() };
            arguments.extend([option.to_string(), path]);
        } else if let Some(option) = VALUES.iter().find(|option| word.starts_with(**option)) {
            let value =
                if word == *option { rest.next().unwrap_or_default() } else { word[option.len()..].to_string() };
            arguments.push(format!("{option}{value}"));
        } else if word.starts_with("-std=") || KEPT.contains(&word) {
            arguments.push(word.to_string());
        } else if word == "-m32" || word == "-m64" {
            self.data_model = Some(if word == "-m32" { DataModel::Ilp32 } else { DataModel::Lp64 });
        } else if REFUSED.iter().any(|option| word.starts_with(option)) {
            self.refused = Some(word.to_string());
        }
    }
}

/// A path as it is found from the current folder, if it lies below.
fn from_here(path: &Path) -> PathBuf {
    let path = simplified(path);
    let here = std::env::current_dir().ok();
    here.and_then(|here| path.strip_prefix(here).map(Path::to_path_buf).ok()).unwrap_or(path)
}

/// A path without `.` and, where no link can be meant, without `..`.
fn simplified(path: &Path) -> PathBuf {
    let mut simple = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir
                if matches!(simple.components().next_back(), Some(Component::Normal(_))) && !simple.is_symlink() =>
            {
                simple.pop();
            }
            other => simple.push(other),
        }
    }
    simple
}

/// The file that a path leads to.
fn identity(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| simplified(path))
}

/// The words of a command, as a shell would split it.
fn split(command: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut characters = command.chars();
    while let Some(next) = characters.next() {
        match next {
            ' ' | '\t' | '\n' => words.extend(word.take()),
            '\'' => {
                let quoted: String = characters.by_ref().take_while(|c| *c != '\'').collect();
                word.get_or_insert_default().push_str(&quoted);
            }
            '"' => {
                let word = word.get_or_insert_default();
                loop {
                    match characters.next() {
                        None => return Err(format!("a quote is not closed in `{command}`")),
                        Some('"') => break,
                        Some('\\') => match characters.next() {
                            Some(escaped @ ('"' | '\\' | '$' | '`')) => word.push(escaped),
                            Some(other) => word.extend(['\\', other]),
                            None => return Err(format!("a quote is not closed in `{command}`")),
                        },
                        Some(other) => word.push(other),
                    }
                }
            }
            '\\' => word.get_or_insert_default().extend(characters.next()),
            other => word.get_or_insert_default().push(other),
        }
    }
    words.extend(word);
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_split_as_a_shell_does() {
        let words = |command: &str| split(command).unwrap();
        assert_eq!(words(r#"cc -DA="x y" -D'B=\"' 'a b'.c"#), ["cc", "-DA=x y", r#"-DB=\""#, "a b.c"]);
        assert_eq!(words(r#"cc -DV=\"1.0\" "-DW=\"2\"" "" a.c"#), ["cc", r#"-DV="1.0""#, r#"-DW="2""#, "", "a.c"]);
        assert!(split("cc \"a").is_err());
    }

    #[test]
    fn options_that_matter_are_kept() {
        let entry = serde_json::json!({
            "directory": "/p/build", "file": "../src/a.c",
            "arguments": ["cc", "-O2", "-Wall", "-I", "../include", "-isystem/usr/x", "-D", "N=1", "-UM", "-std=gnu89",
                "-m32", "-c", "-o", "a.o", "../src/a.c"]
        });
        let unit = Unit::read(&entry, Path::new("")).unwrap();
        assert_eq!(unit.file.path, Path::new("/p/src/a.c"));
        let kept = ["-I", "/p/include", "-isystem", "/usr/x", "-DN=1", "-UM", "-std=gnu89"];
        assert_eq!(unit.file.arguments, kept);
        assert_eq!(unit.data_model, Some(DataModel::Ilp32));
    }
}
