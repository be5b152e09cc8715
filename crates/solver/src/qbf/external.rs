//! Another program decides: the question is written in the format QDIMACS.

use super::{New, Old};
use crate::aig::{Aig, Node, Wire};
use crate::{Limits, Unknown};
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// The program that is asked: Debian's package `depqbf`.
pub const PROGRAM: &str = "depqbf";

/// The codes with which programs end that read QDIMACS.
const TRUE: i32 = 10;
const FALSE: i32 = 20;

/// Whether the new set is included in the old one.
pub fn included(aig: &mut Aig, new: &New, old: &Old, limits: &Limits) -> Result<bool, Unknown> {
    let goals = old.applied(aig, &old.goals, new);
    let goal = aig.all(goals);
    let formula = aig.or(!new.premise, goal);
    match formula.as_constant() {
        Some(constant) => Ok(constant),
        None => ask(&qdimacs(aig, formula, &old.existential), limits),
    }
}

/// The formula with its inputs, in front of which stands "for all", except for the existential ones.
pub fn qdimacs(aig: &Aig, formula: Wire, existential: &[Wire]) -> String {
    let cone: Vec<u32> = aig.cone([formula]);
    let number: FxHashMap<u32, usize> = cone.iter().enumerate().map(|(i, node)| (*node, i + 1)).collect();
    let existential: FxHashSet<u32> = existential.iter().map(|input| input.node()).collect();
    let literal = |wire: Wire| number[&wire.node()] as i64 * if wire.is_negated() { -1 } else { 1 };
    let mut clauses = vec![vec![literal(formula)]];
    let (mut all, mut some) = (Vec::new(), Vec::new());
    for node in &cone {
        let here = number[node] as i64;
        let wire = Wire::of_node(*node);
        match aig.node(wire) {
            Node::Input if !existential.contains(node) => {
                all.push(here);
                continue;
            }
            Node::Input => {}
            Node::Constant => clauses.push(vec![-here]),
            Node::And(a, b) => {
                clauses.push(vec![-here, literal(a)]);
                clauses.push(vec![-here, literal(b)]);
                clauses.push(vec![here, -literal(a), -literal(b)]);
            }
        }
        some.push(here);
    }
    let mut text = format!("p cnf {} {}\n", cone.len(), clauses.len());
    let line = |text: &mut String, start: &str, numbers: &[i64]| {
        text.push_str(start);
        numbers.iter().for_each(|number| {
            let _ = write!(text, "{number} ");
        });
        text.push_str("0\n");
    };
    if !all.is_empty() {
        line(&mut text, "a ", &all);
    }
    line(&mut text, "e ", &some);
    clauses.iter().for_each(|clause| line(&mut text, "", clause));
    text
}

fn ask(text: &str, limits: &Limits) -> Result<bool, Unknown> {
    let failed = |what: String| Unknown::Incomplete(what);
    let mut child = Command::new(PROGRAM)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| failed(format!("the program {PROGRAM} cannot be started ({error}); is it installed?")))?;
    let written = child.stdin.take().map(|mut input| input.write_all(text.as_bytes()));
    let ended = match written {
        Some(Ok(())) => wait(&mut child, limits),
        _ => Err(failed(format!("{PROGRAM} does not read"))),
    };
    // Whatever happened, nothing of it stays behind.
    let _ = child.kill();
    let _ = child.wait();
    match ended? {
        Some(TRUE) => Ok(true),
        Some(FALSE) => Ok(false),
        other => Err(failed(format!("{PROGRAM} gave no answer, but ended with {other:?}"))),
    }
}

/// The code with which the program ends, within the limits.
fn wait(child: &mut Child, limits: &Limits) -> Result<Option<i32>, Unknown> {
    let mut pause = Duration::from_micros(200);
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Ok(status.code()),
            Ok(None) => {}
            Err(error) => return Err(Unknown::Incomplete(format!("{PROGRAM}: {error}"))),
        }
        if let Some(exceeded) = limits.exceeded() {
            return Err(exceeded.into());
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}
