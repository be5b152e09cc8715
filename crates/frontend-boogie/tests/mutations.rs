//! Texts that are almost programs: whatever is changed in a program, loading it gives a valid program or diagnostics with
//! places inside the text, and never panics. A valid program comes back from its textual form.

use frontend_boogie::{Options, load_text};
use source::SourceMap;
use std::path::{Path, PathBuf};

/// A small generator of numbers, the same in each run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % limit.max(1)
    }
}

fn programs() -> Vec<String> {
    let mut files: Vec<PathBuf> = Vec::new();
    collect(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cases/boogie"), &mut files);
    files.sort();
    files.iter().map(|file| std::fs::read_to_string(file).expect("a case can be read")).collect()
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("the cases can be read") {
        let path = entry.expect("an entry").path();
        if path.is_dir() { collect(&path, files) } else { files.push(path) }
    }
}

/// Loads a text and checks what comes of it. Whether it is a program.
fn check(text: &str) -> bool {
    let mut map = SourceMap::new();
    let options = Options { cooperative: text.len().is_multiple_of(2), ..Options::default() };
    match load_text("t.bpl", text, &options, &mut map) {
        Ok(loaded) => {
            if let Err(violations) = ir::validate(&loaded.program) {
                panic!("{text}\n{}", violations[0]);
            }
            let again = ir::parse(&ir::print(&loaded.program));
            assert!(again.is_ok_and(|again| again == loaded.program), "does not come back:\n{text}");
            true
        }
        Err(diagnostics) => {
            assert!(!diagnostics.is_empty(), "{text}");
            for diagnostic in &diagnostics {
                assert!(!source::render(diagnostic, &map, false).is_empty());
                if let Some(label) = &diagnostic.primary {
                    assert!(label.span.end as usize <= text.len(), "{text}\n{diagnostic:?}");
                }
            }
            false
        }
    }
}

#[test]
fn changed_programs_are_programs_or_refused() {
    let programs = programs();
    assert!(programs.len() > 20);
    let words: Vec<&str> = programs.iter().flat_map(|program| program.split_whitespace()).collect();
    let mut numbers = Numbers(1);
    let (mut good, mut bad) = (0, 0);
    for program in &programs {
        check(program);
        for _ in 0..300 {
            let mut parts: Vec<&str> = program.split_inclusive(char::is_whitespace).collect();
            for _ in 0..1 + numbers.below(3) {
                let at = numbers.below(parts.len());
                match numbers.below(4) {
                    0 => {
                        parts.remove(at);
                    }
                    1 => parts.insert(at, words[numbers.below(words.len())]),
                    2 => parts[at] = words[numbers.below(words.len())],
                    _ => {
                        let other = numbers.below(parts.len());
                        parts.swap(at, other);
                    }
                }
                if parts.is_empty() {
                    break;
                }
            }
            if check(&parts.join(" ")) { good += 1 } else { bad += 1 }
        }
    }
    assert!(good > 100 && bad > 100, "{good} programs and {bad} others: the test says little");
}

#[test]
fn cut_programs_are_programs_or_refused() {
    let mut numbers = Numbers(2);
    for program in programs() {
        for _ in 0..20 {
            let mut end = numbers.below(program.len());
            while !program.is_char_boundary(end) {
                end -= 1;
            }
            check(&program[..end]);
        }
    }
}
