//! Models of library functions that are written in C, compiled by the system's compiler and compared with the system's library: each on
//! 10,000 random calls. tests/library has what is called; what a model does not say (`__fathom_unsupported_...`) is not compared.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Models that cannot be compared: what they give is arbitrary, or they are the functions that the comparison itself needs.
const LEFT_OUT: [&str; 17] = [
    "errno",
    "thread",
    "stdio",
    "unistd",
    "random",
    "scanf",
    "err",
    "socket",
    "dirent",
    "mman",
    "atexit",
    "fenv",
    "text",
    "users",
    "wide_stdio",
    "strerror",
    "names",
];
/// Variables that models define.
const VARIABLES: &str = "optarg optind opterr optopt";

fn texts(folder: &Path) -> Vec<PathBuf> {
    let files = std::fs::read_dir(folder).expect("a folder of texts").map(|file| file.expect("a file").path());
    let mut texts: Vec<PathBuf> = files.filter(|path| path.extension().is_some_and(|ending| ending == "c")).collect();
    texts.sort();
    texts
}

/// The functions that a text defines: each definition begins at the start of a line.
fn defined(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|line| {
        let is_other = line.starts_with([' ', '}', '/', '#']) || line.starts_with("static ") || line.ends_with(';');
        let (head, _) = line.split_once('(').filter(|_| !is_other)?;
        head.rsplit([' ', '*']).next()
    })
}

fn refusals(text: &str) -> impl Iterator<Item = &str> {
    let name = |start: usize| text[start..].split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next();
    text.match_indices("__fathom_unsupported_").filter_map(move |(start, _)| name(start))
}

fn run(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}:\n{text}");
    text
}

#[test]
fn models_agree_with_the_systems_library() {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    let made = Path::new(env!("CARGO_TARGET_TMPDIR")).join("library");
    std::fs::create_dir_all(&made).expect("a folder for what is made");
    let stem = |path: &Path| path.file_stem().expect("a name").to_string_lossy().into_owned();
    let mut models = texts(&own.join("src/lower/library"));
    models.retain(|path| !LEFT_OUT.contains(&stem(path).as_str()));
    let mut names: BTreeSet<String> = VARIABLES.split_whitespace().map(str::to_owned).collect();
    let mut refused = BTreeSet::new();
    for model in &models {
        let text = std::fs::read_to_string(model).expect("a text");
        names.extend(defined(&text).map(str::to_owned));
        refused.extend(refusals(&text).map(str::to_owned));
    }
    let mut renaming = String::new();
    for name in names.iter().filter(|name| !name.starts_with("__fathom_")) {
        writeln!(renaming, "#define {name} model_{name}").expect("a string");
    }
    let mut stubs = String::from("void refused(void);\n");
    for name in refused {
        writeln!(stubs, "void {name}(void) {{ refused(); }}").expect("a string");
    }
    let (header, stub_file) = (made.join("rename.h"), made.join("refusals.c"));
    std::fs::write(&header, renaming).expect("a header");
    std::fs::write(&stub_file, stubs).expect("a text");
    let mut objects = Vec::new();
    let mut compile = |path: &Path, prefix: &str, arguments: &[&str]| {
        let object = made.join(format!("{prefix}{}.o", stem(path)));
        let mut command = Command::new("cc");
        command.args(["-std=gnu17", "-O1", "-w", "-fno-builtin", "-fno-strict-aliasing", "-fwrapv"]).args(arguments);
        run(command.arg("-c").arg(path).arg("-o").arg(&object));
        objects.push(object);
    };
    for model in &models {
        compile(model, "model-", &["-include", &header.to_string_lossy()]);
    }
    for test in texts(&own.join("tests/library")) {
        compile(&test, "test-", &[]);
    }
    compile(&stub_file, "", &[]);
    let program = made.join("compare");
    run(Command::new("cc").args(&objects).arg("-lm").arg("-o").arg(&program));
    let said = run(&mut Command::new(&program));
    let count = said.split_whitespace().next().and_then(|word| word.parse::<u32>().ok());
    assert!(count.is_some_and(|count| count >= 190), "too few functions are compared: {said}");
}
