//! Tests of the interpreter as a whole.

mod terms;

use super::{Choices, End, Interpreter, Limits, NoHost};
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
    }
}

/// How a run of the program ends.
fn end(interpreter: &mut Interpreter, choices: &mut dyn Choices) -> End {
    interpreter.run(choices, &mut NoHost, &Limits::default(), None).end
}
