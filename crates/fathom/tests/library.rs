//! Library functions that are expanded where they are called: programs with many random calls print the same when the tool and when the
//! machine executes them. Models that are written in C are compared by crates/frontend-c/tests/library.rs.

mod support;

use std::path::Path;
use std::process::Command;
use support::{Ran, fathom, root};

fn agrees(name: &str) {
    let source = root().join("crates/fathom/tests/library").join(name).with_extension("c");
    let made = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("library-{name}"));
    let mut compiler = Command::new("cc");
    let compiled = Ran::of(compiler.args(["-w", "-O1", "-fno-builtin"]).arg(&source).arg("-lm").arg("-o").arg(&made));
    assert_eq!(compiled.code, Some(0), "{}", compiled.stderr);
    let real = Ran::of(&mut Command::new(&made));
    let model = Ran::of(fathom().args(["run", "--data-model", "lp64"]).arg(&source));
    assert_eq!(real.code, model.code, "{}", model.stderr);
    for (model, real) in model.stdout.lines().zip(real.stdout.lines()) {
        assert_eq!(model, real);
    }
    assert_eq!(model.stdout.lines().count(), real.stdout.lines().count());
}

#[test]
fn floats() {
    agrees("math");
}

#[test]
fn memory() {
    agrees("memory");
}

#[test]
fn formats() {
    agrees("format");
}
