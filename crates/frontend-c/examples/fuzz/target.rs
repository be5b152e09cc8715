//! What is fed with inputs, and what must hold then: nothing panics; what is a program is valid, is printed so that it reads
//! as the same program, and the interpreter finds no bug of its own in it.

use crate::mutate::mutated;
use frontend_c::{Options, load_text};
use ir::interp::{End, Interpreter, Limits, NoHost, Zeros};
use ir::random::Config;
use ir::{DataModel, Program};
use source::{SourceMap, Symbol, render};
use std::path::Path;
use term::random::Random;

/// What reads the inputs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    C,
    Ir,
}

/// A target with the texts that are mutated for it.
pub struct Corpus {
    pub target: Target,
    texts: Vec<Vec<u8>>,
    seed: u64,
}

/// Declarations in place of the headers that the programs include: inputs go through no preprocessor.
const PRELUDE: &str = "typedef unsigned long size_t; typedef unsigned char uint8_t; typedef unsigned uint32_t;\n\
    typedef long long int64_t; typedef _Bool bool; enum { NULL = 0, false = 0, true = 1 };\n\
    int printf(const char *, ...); int puts(const char *); void *malloc(size_t); void *calloc(size_t, size_t);\n\
    void free(void *); void abort(void); void exit(int); void *memcpy(void *, const void *, size_t);\n\
    void *memset(void *, int, size_t); size_t strlen(const char *); int strcmp(const char *, const char *);\n\
    void reach_error(void); int __VERIFIER_nondet_int(void); void __VERIFIER_assume(int); void assert(int);\n";

/// Programs of more text than this are left out of the corpus.
const LONGEST: usize = 4_000;
/// So many random programs are in the corpus of the textual IR.
const RANDOM_PROGRAMS: u64 = 60;

impl Corpus {
    /// From files and folders of them. The corpus of the textual IR is made of C programs, too, as they are lowered.
    pub fn new(target: Target, seed: u64, paths: &[impl AsRef<Path>]) -> Corpus {
        let mut corpus = Corpus { target, texts: Vec::new(), seed };
        for path in paths {
            corpus.add(path.as_ref());
        }
        if target == Target::Ir {
            let mut config = Config::everything(DataModel::Ilp32);
            (config.locations, config.procedures, config.depth) = (4, 2, 3);
            let programs = (0..RANDOM_PROGRAMS).map(|seed| ir::print(&ir::random::program(seed, &config)));
            corpus.texts.extend(programs.map(String::into_bytes));
        }
        corpus
    }

    fn add(&mut self, path: &Path) {
        if let Ok(entries) = std::fs::read_dir(path) {
            let mut inside: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
            inside.sort();
            return inside.iter().for_each(|path| self.add(path));
        }
        let Ok(text) = std::fs::read_to_string(path) else { return };
        let text = match (self.target, path.extension().and_then(|extension| extension.to_str())) {
            (Target::C, Some("c" | "i")) => without_directives(&text),
            (Target::Ir, Some("ir")) => text,
            (Target::Ir, Some("c" | "i")) => {
                let program = load_text(
                    "seed.c",
                    without_directives(&text),
                    &options(&mut Random::new(0)),
                    &mut SourceMap::new(),
                );
                let Ok(program) = program else { return };
                ir::print(&program)
            }
            _ => return,
        };
        if text.len() <= LONGEST {
            self.texts.push(text.into_bytes());
        }
    }

    pub fn len(&self) -> usize {
        self.texts.len()
    }

    /// The input of an execution. It depends on nothing but the corpus, the seed and the execution's number.
    pub fn input(&self, number: u64) -> Vec<u8> {
        let words = if self.target == Target::C { C_WORDS } else { IR_WORDS };
        mutated(&self.texts, words, &mut self.random(number))
    }

    fn random(&self, number: u64) -> Random {
        Random::new(Random::new(self.seed).bits() ^ number)
    }

    /// Executes the target on an input; whether the input is a program. Panics if something is wrong.
    pub fn execute(&self, number: u64, input: &[u8]) -> bool {
        let program = match self.target {
            Target::Ir => match ir::parse_bytes(input) {
                Ok(program) if ir::validate(&program).is_ok() => Some(program),
                _ => None,
            },
            Target::C => {
                let mut map = SourceMap::new();
                // The choices that come after those of the input.
                let mut random = self.random(!number);
                match load_text("input.c", input, &options(&mut random), &mut map) {
                    Ok(program) => Some(program),
                    Err(errors) => {
                        assert!(!errors.is_empty(), "no program, but no error");
                        errors.iter().for_each(|error| assert!(!render(error, &map, true).is_empty()));
                        None
                    }
                }
            }
        };
        program.as_ref().inspect(|program| examine(program)).is_some()
    }
}

/// What holds for every program.
fn examine(program: &Program) {
    assert_eq!(ir::validate(program), Ok(()));
    let printed = ir::print(program);
    let again = ir::parse(&printed).unwrap_or_else(|errors| panic!("{}\n{printed}", errors[0]));
    assert!(again == *program, "printing changes\n{printed}");
    let limits = Limits { steps: 500, memory: 1 << 22, call_depth: 100, threads: 8, ..Limits::default() };
    let outcome = Interpreter::new(program).run(&mut Zeros, &mut NoHost, &limits, None);
    assert!(!matches!(outcome.end, End::Internal(_)), "{:?}\n{printed}", outcome.end);
}

/// The text without lines for the preprocessor, which a few declarations stand for.
fn without_directives(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.starts_with(['#', '/']));
    lines.fold(PRELUDE.to_string(), |text, line| text + line + "\n")
}

/// Any of the ways to read a program.
fn options(random: &mut Random) -> Options {
    let classes = [
        "unreach-call",
        "no-overflow",
        "valid-deref",
        "valid-free",
        "valid-memtrack",
        "valid-memcleanup",
        "array-bounds",
        "null-deref",
        "div-by-zero",
    ];
    let model = if random.once_in(2) { DataModel::Ilp32 } else { DataModel::Lp64 };
    let properties = classes.into_iter().filter(|_| random.once_in(3)).map(Symbol::new).collect();
    Options { properties, ..Options::new(model) }
}

/// Words and signs that mean something in C.
const C_WORDS: &[&str] = &[
    "int",
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    ";",
    ",",
    "=",
    "*",
    ":",
    "?",
    "...",
    "\\\n",
    "\"",
    "'",
    "/*",
    "*/",
    "//",
    "\n#",
    "\n# 7 \"f.c\"\n",
    "\n#pragma pack(1)\n",
    "typedef",
    "struct",
    "union",
    "enum",
    "static",
    "if",
    "else",
    "for",
    "while",
    "do",
    "switch",
    "case",
    "default",
    "goto",
    "return",
    "sizeof",
    "_Alignof",
    "_Generic",
    "_Atomic(",
    "__attribute__((",
    "__attribute__((aligned(",
    "))",
    "asm",
    "asm(",
    "__label__",
    "__extension__",
    "typeof(",
    "_Static_assert(",
    "({",
    "})",
    "&&",
    "->",
    ".",
    "__builtin_offsetof(",
    "__builtin_va_arg(",
    "_Complex",
    "long",
    "unsigned",
    "__int128",
    "float",
    "0x",
    "1e",
    "0b1",
    "1.5p3",
    "L\"",
    "u8'",
    "\\u00e9",
    "\u{e9}",
    "\0",
    "[[",
    "]]",
    "inline",
    "const",
    "void",
    "f(void)",
    "x",
];

/// Words and signs that mean something in the textual IR.
const IR_WORDS: &[&str] = &[
    "(",
    ")",
    "->",
    ":=",
    ":",
    ",",
    "@1:2",
    "|",
    "\"",
    "\\",
    "\n",
    ";",
    "{",
    "}",
    "entry",
    "exit",
    "L1",
    "L4294967295",
    "local",
    "location",
    "procedure",
    "call f(",
    "spawn",
    "assume",
    "havoc",
    "skip",
    "(as x Int)",
    "bv8",
    "(Array ",
    "(let ((?1 ",
    "(forall ((x Int)) ",
    "...",
    "returns (",
    "#x00",
    "-5",
    "1/0",
    "é",
    "::",
    "x@1",
    "error P0",
    "((_ zero_extend 4294967295) ",
    "(_ array Int 0 (1 7))",
    "size 99999999999999999999",
];
