//! Bringing a program's text: a file as it is, or what the system's C compiler makes of it when it has directives.
//!
//! A file that is preprocessed already starts no process.

use super::directive;
use ir::DataModel;
use source::{Diagnostic, FileId, Severity, SourceMap, Span};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The compilers to look for, in this order.
const COMPILERS: [&str; 3] = ["cc", "gcc", "clang"];

/// How many errors of the compiler are passed on.
const MAX_ERRORS: usize = 20;

/// What a preprocessor needs to know.
#[derive(Clone, Debug)]
pub struct PreprocessOptions {
    pub data_model: DataModel,
    /// Folders to look for headers in, as `-I` names them.
    pub includes: Vec<PathBuf>,
    /// `NAME` or `NAME=VALUE`, as `-D` takes them.
    pub defines: Vec<String>,
    /// What else the compiler is told, after all the others.
    pub arguments: Vec<String>,
}

/// Loads a program. The text is preprocessed if it has directives (other than line markers and pragmas), uses a macro that
/// every preprocessor knows, or if macros were defined.
pub fn load(path: &Path, options: &PreprocessOptions, map: &mut SourceMap) -> Result<FileId, Vec<Diagnostic>> {
    let file = map.read(path).map_err(|error| {
        vec![Diagnostic::without_place(Severity::Error, format!("cannot read {}: {error}", path.display()))]
    })?;
    if let Some(at) = map.text(file).iter().position(|byte| *byte == 0) {
        let place = map.place(Span::new(file, at as u32, at as u32));
        let message = format!("this is not a C source file: byte 0x00 at {}:{}", place.line, place.column);
        let message = format!("{}: {message}", path.display());
        return Err(vec![Diagnostic::without_place(Severity::Error, message)]);
    }
    let is_plain = options.defines.is_empty() && options.arguments.is_empty();
    if is_plain && !directive::needs_preprocessor(map.text(file)) {
        return Ok(file);
    }
    let (compiler, output) = preprocess(&COMPILERS, path, options)?;
    if output.status.success() {
        return Ok(map.add(&path.to_string_lossy(), output.stdout));
    }
    Err(failures(compiler, &String::from_utf8_lossy(&output.stderr), file, options, map))
}

/// Runs the first of the compilers that is there.
fn preprocess<'a>(
    compilers: &[&'a str],
    path: &Path,
    options: &PreprocessOptions,
) -> Result<(&'a str, Output), Vec<Diagnostic>> {
    for compiler in compilers {
        match command(compiler, path, options).output() {
            Ok(output) => return Ok((compiler, output)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => {
                let message = format!("cannot run the preprocessor `{compiler}`: {error}");
                return Err(vec![Diagnostic::without_place(Severity::Error, message)]);
            }
        }
    }
    let names: Vec<String> = compilers.iter().map(|name| format!("`{name}`")).collect();
    let message = format!("{} must be preprocessed, but there is no C compiler here", path.display());
    Err(vec![
        Diagnostic::without_place(Severity::Error, message)
            .note(format!("none of {} was found", names.join(", ")))
            .help("install gcc or clang, or preprocess the program elsewhere with `gcc -E`"),
    ])
}

fn command(compiler: &str, path: &Path, options: &PreprocessOptions) -> Command {
    let mut command = Command::new(compiler);
    // Messages are read below, so they must come untranslated. Warnings concern a compilation, not us.
    command.env("LC_ALL", "C").stdin(Stdio::null()).args(["-E", "-w", "-std=gnu11", "-D__FATHOM__=1"]);
    command.arg(match options.data_model {
        DataModel::Ilp32 => "-m32",
        DataModel::Lp64 => "-m64",
    });
    for folder in &options.includes {
        command.arg("-I").arg(folder);
    }
    for define in &options.defines {
        command.arg("-D").arg(define);
    }
    command.args(&options.arguments);
    // A name that begins with a minus would be taken for an option.
    let is_option = path.as_os_str().as_encoded_bytes().starts_with(b"-");
    command.args(["-x", "c"]).arg(if is_option { Path::new(".").join(path) } else { path.to_path_buf() });
    command
}

/// The compiler's messages as diagnostics of ours, at the places that they name.
fn failures(
    compiler: &str,
    messages: &str,
    main: FileId,
    options: &PreprocessOptions,
    map: &mut SourceMap,
) -> Vec<Diagnostic> {
    let mut diagnostics: Vec<Diagnostic> = Vec::new();
    for message in messages.lines().filter_map(Message::read).take(MAX_ERRORS) {
        let text = format!("the preprocessor says: {}", message.text);
        let mut diagnostic = match message.file(main, map) {
            Some(file) => Diagnostic::error(map.span_at(file, message.line, message.column), text),
            None => Diagnostic::without_place(Severity::Error, text),
        };
        if options.data_model == DataModel::Ilp32 {
            diagnostic.help.extend(help_for_32_bits(&message).map(str::to_string));
        }
        diagnostics.push(diagnostic);
    }
    if diagnostics.is_empty() {
        let message = format!("the preprocessor `{compiler}` failed");
        diagnostics.push(Diagnostic::without_place(Severity::Error, message).note(messages.trim()));
    }
    diagnostics
}

/// An error message such as `file.c:3:10: fatal error: x.h: No such file or directory`, or `cc: error: ...`.
#[derive(PartialEq, Eq, Debug)]
struct Message<'a> {
    path: &'a str,
    /// 0 where the message has no place.
    line: u32,
    column: u32,
    text: &'a str,
}

impl<'a> Message<'a> {
    fn read(line: &'a str) -> Option<Message<'a>> {
        let (place, text) = line.split_once(": error: ").or_else(|| line.split_once(": fatal error: "))?;
        let mut parts = place.rsplitn(3, ':');
        let (column, row, path) = (parts.next(), parts.next(), parts.next());
        let number = |part: Option<&str>| part.and_then(|part| part.parse::<u32>().ok());
        Some(match (number(column), number(row), path) {
            (Some(column), Some(line), Some(path)) => Message { path, line, column, text },
            _ => Message { path: place, line: 0, column: 0, text },
        })
    }

    /// The file of the message, loaded.
    fn file(&self, main: FileId, map: &mut SourceMap) -> Option<FileId> {
        if self.line == 0 {
            return None;
        }
        if map.name(main).as_str() == self.path {
            return Some(main);
        }
        map.read(Path::new(self.path)).ok()
    }
}

/// What to do about a message that comes from asking for 32 bits.
fn help_for_32_bits(message: &Message<'_>) -> Option<&'static str> {
    let library = ["bits/", "gnu/", "sys/", "asm/"];
    let is_header = |name: &str| library.iter().any(|folder| name.trim_matches(['\'', '"']).starts_with(folder));
    if message.text.contains("-m32") {
        return Some("this compiler cannot preprocess for 32 bits; `--data-model lp64` is for 64-bit programs");
    }
    // gcc names the missing header first, clang names it in quotes.
    let missing =
        message.text.strip_suffix(": No such file or directory").or(message.text.strip_suffix(" file not found"));
    missing.filter(|name| is_header(name)).map(|_| {
        "the 32-bit C library's headers are missing: install gcc-multilib (Debian, Ubuntu) or glibc-devel.i686 \
         (Fedora); `--data-model lp64` is for 64-bit programs"
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::parse;
    use source::render;

    /// Loads `text` under the name `t.c`, beside the header `h.h`, and returns what is wrong, or the number of items.
    fn check(name: &str, text: &str, defines: &[&str], expected: Result<usize, &str>) {
        let folder = std::env::temp_dir().join(format!("fathom-load-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("t.c"), text).unwrap();
        std::fs::write(folder.join("h.h"), "int h;\n").unwrap();
        let mut map = SourceMap::new();
        let options = PreprocessOptions {
            data_model: DataModel::Lp64,
            includes: vec![folder.clone()],
            defines: defines.iter().map(|define| define.to_string()).collect(),
            arguments: Vec::new(),
        };
        let result = load(&folder.join("t.c"), &options, &mut map)
            .and_then(|file| match parse(&mut map, file) {
                (unit, errors) if errors.is_empty() => Ok(unit.items.len()),
                (_, errors) => Err(errors),
            })
            .map_err(|errors| errors.iter().map(|error| render(error, &map, false)).collect::<String>());
        std::fs::remove_dir_all(&folder).unwrap();
        let result = result.map_err(|text| text.replace(&format!("{}/", folder.display()), ""));
        assert_eq!(result, expected.map_err(str::to_string), "{text}");
    }

    #[test]
    fn plain_and_preprocessed_texts() {
        check("plain", "int x;\n# 7 \"o.c\"\nint y;\n", &[], Ok(2));
        check("include", "#include <h.h>\n#ifdef __FATHOM__\nint x;\n#endif\n", &[], Ok(2));
        check("define", "int x = N;\n", &["N=3"], Ok(1));
    }

    #[test]
    fn what_the_preprocessor_says() {
        let expected = "error: the preprocessor says: no-such.h: No such file or directory\n --> t.c:2:10\n  |\n\
             2 | #include <no-such.h>\n  |          ^\n";
        check("missing", "int x;\n#include <no-such.h>\n", &[], Err(expected));
        let expected =
            "error: the preprocessor says: #error \"stop\"\n --> t.c:1:2\n  |\n1 | #error \"stop\"\n  |  ^^^^^\n";
        check("error", "#error \"stop\"\n", &[], Err(expected));
    }

    #[test]
    fn errors_show_the_text_as_written() {
        let expected = "error: expected `;` after the declaration, found `int`\n --> t.c:2:10\n  |\n\
             2 | int x N\n  | ^^^^^^^ expected `;`\n  = note: after preprocessing this line reads `int x = 1`\n";
        check("hidden", "#define N = 1\nint x N\nint y;\n", &[], Err(expected));
        let expected = "error: expected `;` after the declaration, found `int`\n --> t.c:2:6\n  |\n\
             2 | int /**/ x\n  |           ^ expected `;`\n";
        check("moved", "#define N\nint /**/ x\nint y;\n", &[], Err(expected));
    }

    #[test]
    fn no_compiler_and_no_file() {
        let (includes, defines, arguments) = Default::default();
        let options = PreprocessOptions { data_model: DataModel::Lp64, includes, defines, arguments };
        let problems = preprocess(&["no-such-compiler"], Path::new("t.c"), &options).unwrap_err();
        let expected = "error: t.c must be preprocessed, but there is no C compiler here
 = note: none of `no-such-compiler` was found
 = help: install gcc or clang, or preprocess the program elsewhere with `gcc -E`
";
        assert_eq!(render(&problems[0], &SourceMap::new(), false), expected);
        let binary = std::env::temp_dir().join(format!("fathom-binary-{}.c", std::process::id()));
        std::fs::write(&binary, b"\x7fELF\x02\n\x01\x00\x00").unwrap();
        let problems = load(&binary, &options, &mut SourceMap::new()).unwrap_err();
        std::fs::remove_file(&binary).unwrap();
        let expected = "this is not a C source file: byte 0x00 at 2:2";
        assert!(matches!(&problems[..], [one] if one.message.ends_with(expected)), "{problems:?}");
        let problems = load(Path::new("no-such-file.c"), &options, &mut SourceMap::new()).unwrap_err();
        assert!(problems[0].message.starts_with("cannot read no-such-file.c: "), "{problems:?}");
    }

    #[test]
    fn messages() {
        let message = Message { path: "a:b.c", line: 3, column: 10, text: "x.h: No such file or directory" };
        assert_eq!(Message::read("a:b.c:3:10: fatal error: x.h: No such file or directory"), Some(message));
        let message = Message { path: "cc", line: 0, column: 0, text: "unrecognized command-line option '-m32'" };
        assert!(help_for_32_bits(&message).is_some());
        assert_eq!(Message::read("cc: error: unrecognized command-line option '-m32'"), Some(message));
        assert_eq!(Message::read("compilation terminated."), None);
        let missing = |text| help_for_32_bits(&Message { path: "", line: 1, column: 1, text }).is_some();
        assert!(missing("gnu/stubs-32.h: No such file or directory"));
        assert!(missing("'bits/libc-header-start.h' file not found"));
        assert!(!missing("mine.h: No such file or directory"));
    }
}
