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
const SKIPPED: [&str; 10] = ["-o", "-MF", "-MT", "-MQ", "-x", "-arch", "-Xclang", "-T", "-mllvm", "--param"];
/// Options that change the language or what headers say.
const KEPT: [&str; 6] = ["-ansi", "-pthread", "-nostdinc", "-undef", "-fgnu89-inline", "-ffreestanding"];
/// How options begin that change nothing but the code that is generated. Every other `-f` or `-m` option is refused, as it may
/// change what the program means.
#[rustfmt::skip]
const HARMLESS: &[&str] = &[
    // What holds anyway.
    "-fsigned-char", "-fno-unsigned-char", "-fsigned-bitfields", "-fno-unsigned-bitfields", "-fno-short-enums",
    "-fno-short-wchar", "-fno-pack-struct", "-fno-wrapv", "-fno-trapv", "-fno-fast-math", "-fno-ms-extensions",
    "-ffp-contract=off", "-fstrict-overflow", "-fhosted", "-fno-openmp", "-fno-exceptions", "-fno-rtti",
    // Optimisation.
    "-fstrict-aliasing", "-fno-strict-aliasing", "-fdelete-null-pointer-checks", "-fno-delete-null-pointer-checks",
    "-finline", "-fno-inline", "-fomit-frame-pointer", "-fno-omit-frame-pointer", "-foptimize-", "-fno-optimize-",
    "-ftree-", "-fno-tree-", "-fipa-", "-fno-ipa-", "-flto", "-fno-lto", "-ffat-lto-objects", "-fno-fat-lto-objects",
    "-funroll-", "-fno-unroll-", "-fvectorize", "-fno-vectorize", "-fslp-", "-fno-slp-", "-falign-", "-fno-align-",
    "-fpeel-loops", "-fgcse", "-fno-gcse", "-freorder-", "-fno-reorder-", "-fprefetch-", "-fno-math-errno",
    "-fno-builtin", "-fbuiltin", "-fconserve-stack", "-fno-allow-store-data-races", "-fno-semantic-interposition",
    "-fsemantic-interposition", "-fno-toplevel-reorder", "-fno-var-tracking", "-fvar-tracking", "-fno-jump-tables",
    // Generated code and its layout.
    "-fPIC", "-fpic", "-fPIE", "-fpie", "-fno-PIC", "-fno-pic", "-fno-PIE", "-fno-pie", "-fno-plt", "-fplt",
    "-fvisibility", "-ffunction-sections", "-fno-function-sections", "-fdata-sections", "-fno-data-sections",
    "-fcommon", "-fno-common", "-fstack-", "-fno-stack-", "-fcf-protection", "-fexceptions", "-funwind-tables",
    "-fno-unwind-tables", "-fasynchronous-", "-fno-asynchronous-", "-fpatchable-", "-fuse-ld", "-fno-ident", "-fident",
    "-fsplit-stack", "-fno-split-stack", "-fzero-call-used-regs", "-fintegrated-as", "-fno-integrated-as",
    // Diagnostics, debugging, coverage.
    "-fdiagnostics-", "-fno-diagnostics-", "-fcolor-diagnostics", "-fno-color-diagnostics", "-fansi-escape-codes",
    "-fno-caret-diagnostics", "-fmessage-length", "-fmax-errors", "-ferror-limit", "-fdebug-", "-fno-debug-",
    "-fprofile-", "-fno-profile-", "-ftest-coverage", "-fcoverage-", "-fsanitize", "-fno-sanitize", "-fanalyzer",
    "-fsyntax-only", "-fmacro-prefix-map", "-ffile-prefix-map", "-frandom-seed", "-fstandalone-debug", "-fverbose-asm",
    "-frecord-", "-fno-record-", "-fno-working-directory", "-fworking-directory", "-fpch-", "-fmodules-",
    // Processors.
    "-march=", "-mtune=", "-mcpu=", "-msse", "-mno-sse", "-mavx", "-mno-avx", "-mmmx", "-mno-mmx", "-mno-3dnow",
    "-mno-80387", "-mno-fp-ret-in-387", "-mpopcnt", "-mbmi", "-mfma", "-maes", "-mpclmul", "-mcx16", "-msahf",
    "-mcmodel=", "-mno-red-zone", "-mred-zone", "-mstackrealign", "-mskip-rax-setup", "-mindirect-branch",
    "-mfunction-return", "-mharden-sls", "-mretpoline", "-mpreferred-stack-boundary", "-mfentry", "-mrecord-mcount",
    "-momit-leaf-frame-pointer", "-mno-omit-leaf-frame-pointer", "-mfpmath=sse", "-mtls-",
];

/// Whether an option may change what a program means, in a way that the frontend does not follow.
fn is_refused(word: &str) -> bool {
    let is_open = word.starts_with("-f") || word.starts_with("-m");
    word.starts_with('@') || word == "-Ofast" || is_open && !HARMLESS.iter().any(|option| word.starts_with(option))
}

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

    fn add(&mut self, word: &str, rest: &mut dyn Iterator<Item = String>, directory: &Path) {
        // What is handed on to the preprocessor.
        if let Some(list) = word.strip_prefix("-Wp,") {
            let mut words = list.split(',').map(str::to_string).collect::<Vec<_>>().into_iter();
            while let Some(word) = words.next() {
                self.add(&word, &mut words, directory);
            }
            return;
        }
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
        } else if is_refused(word) {
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

    #[test]
    fn options_that_change_the_meaning_are_refused() {
        let unit = |option: &str| {
            let entry =
                serde_json::json!({ "directory": "/p", "file": "a.c", "arguments": ["cc", option, "-c", "a.c"] });
            Unit::read(&entry, Path::new("")).unwrap()
        };
        let refused = [
            "-funsigned-bitfields",
            "-fno-signed-char",
            "-funsigned-char",
            "@more",
            "-Ofast",
            "-ffast-math",
            "-fwrapv",
            "-ftrapv",
            "-mms-bitfields",
            "-malign-double",
            "-mlong-double-64",
            "-fshort-enums",
            "-fpack-struct=1",
            "-fshort-wchar",
            "-mx32",
        ];
        for option in refused {
            assert_eq!(unit(option).refused.as_deref(), Some(option));
        }
        for option in
            ["-fPIC", "-O3", "-Wall", "-fno-strict-aliasing", "-fstack-protector-strong", "-march=native", "-MD"]
        {
            assert_eq!(unit(option).refused, None, "{option}");
        }
        assert_eq!(unit("-Wp,-DX=1,-MD,a.d").file.arguments, ["-DX=1"]);
    }
}
