//! Random programs are valid, and their text is exact in both directions.

use ir::random::{self, Config};
use ir::{DataModel, parse, print, validate};

fn check(seeds: std::ops::Range<u64>, config: &Config) {
    for seed in seeds {
        let program = random::program(seed, config);
        if let Err(violations) = validate(&program) {
            panic!("seed {seed} breaks a law: {}\n{}", violations[0], print(&program));
        }
        let text = print(&program);
        match parse(&text) {
            Ok(parsed) => {
                assert!(parsed == program, "seed {seed} changes:\n{text}\n---\n{}", print(&parsed));
                assert_eq!(print(&parsed), text, "seed {seed}");
            }
            Err(errors) => panic!("seed {seed}: {}\n{text}", errors[0]),
        }
    }
}

#[test]
fn everything_on_lp64() {
    check(0..1000, &Config::everything(DataModel::Lp64));
}

#[test]
fn everything_on_ilp32() {
    check(0..1000, &Config::everything(DataModel::Ilp32));
}

#[test]
fn scalar_programs() {
    check(0..3000, &Config::scalar());
}

#[test]
fn display_is_print() {
    let program = random::program(7, &Config::scalar());
    assert_eq!(program.to_string(), print(&program));
}
