//! Tests of the interpreter as a whole.

mod access;
mod model;
mod operations;
mod printf;
mod replay;
mod rounds;
mod terms;
mod threads;

use super::{Choices, End, Interpreter, Limits, NoHost, Zeros};
use crate::{CfaBuilder, DataModel, Op, ProcId, Procedure, Program, Variable};
use term::{Term, free};

/// A program that performs the operations one after the other; the variables in them are globals.
fn straight(operations: Vec<Op>) -> Program {
    let terms = |op: &Op| match op {
        Op::Assign(pairs) => pairs.iter().flat_map(|(v, t)| [*v, *t]).collect(),
        Op::Assume(formula) => vec![*formula],
        Op::Havoc(variables) => variables.clone(),
        _ => Vec::new(),
    };
    let variables = free::variables(operations.iter().flat_map(terms));
    let mut cfa = CfaBuilder::new(None, None);
    let mut at = CfaBuilder::ENTRY;
    for op in operations {
        at = cfa.step(at, op, None);
    }
    cfa.edge(at, Op::skip(), CfaBuilder::EXIT, None);
    program_of(&variables, cfa)
}

/// A program with one procedure and the given globals.
fn program_of(globals: &[Term], cfa: CfaBuilder) -> Program {
    let global = |v: &Term| match v.name() {
        Some(name) => Variable::internal(name, v.sort()),
        None => panic!("{v:?} is no variable"),
    };
    Program {
        file: "test".into(),
        data_model: DataModel::Ilp32,
        globals: globals.iter().map(global).collect(),
        objects: Vec::new(),
        functions: Vec::new(),
        axioms: Vec::new(),
        procedures: vec![Procedure {
            name: "main".into(),
            parameters: Vec::new(),
            variadic: false,
            results: Vec::new(),
            locals: Vec::new(),
            body: Ok(cfa.finish()),
            place: None,
        }],
        entry: ProcId(0),
        properties: Vec::new(),
        assumptions: Vec::new(),
    }
}

/// The program that a text says; it must be valid.
fn parsed(text: &str) -> Program {
    let program = crate::parse(text).unwrap_or_else(|errors| panic!("{text}\n{errors:?}"));
    crate::validate(&program).unwrap_or_else(|violations| panic!("{text}\n{violations:?}"));
    program
}

/// How a run ended, in one line.
fn shown(program: &Program, end: &End) -> String {
    match end {
        End::Finished(results) => {
            let results: Vec<String> =
                results.iter().map(|(variable, value)| format!("{variable} = {value}")).collect();
            format!("finished {}", results.join(", ")).trim_end().into()
        }
        End::Ended => "ended".into(),
        End::Violated(property) => format!("violated {}", program.property(*property).class),
        End::Blocked => "blocked".into(),
        End::Undefined(what) => format!("undefined: {what}"),
        End::Unsupported(what) => format!("unsupported: {what}"),
        End::Limit(limit) => limit.to_string(),
        End::Choices(error) => format!("choices: {error}"),
        End::Internal(what) => format!("internal: {what}"),
    }
}

/// Runs a program with zeros for all choices.
fn check(text: &str, expected: &str) {
    check_with(text, &mut Zeros, expected);
}

fn check_with(text: &str, choices: &mut dyn Choices, expected: &str) {
    let program = parsed(text);
    let end = end(&mut Interpreter::new(&program), choices);
    assert_eq!(shown(&program, &end), expected, "{text}");
}

/// How a run of the program ends.
fn end(interpreter: &mut Interpreter, choices: &mut dyn Choices) -> End {
    interpreter.run(choices, &mut NoHost, &Limits::default(), None).end
}
