//! Small changes of a statement, as mutation testing makes them: other relations, other constants, other operators,
//! other variables.
//!
//! A statement that has one that repairs the execution is more likely the cause than one whose value would have to
//! come from nowhere. The changes are made to terms; [`Edit`] says what they are in the words of the source.

use ir::ProcId;
use term::visit::post_order;
use term::{Bv, Op, SortKind, Term, Value, build};

/// What was changed, for who reads the source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Edit {
    /// An order became strict, or ceased to be.
    Strictness,
    Constant {
        from: Bv,
        to: Bv,
    },
    /// Plus became minus, `and` became `or`, and so on.
    Operator {
        from: &'static str,
        to: &'static str,
    },
    Variable {
        from: Term,
        to: Term,
    },
    Negation,
    /// One operand of an operation counts no more.
    Operand,
    /// An order became an equality, or its opposite.
    Relation,
    /// A value is greater or less by one.
    OffByOne,
    /// Another function is called.
    Function {
        from: ProcId,
        to: ProcId,
    },
}

/// A part of a statement and what takes its place.
#[derive(Clone, Copy, Debug)]
pub struct Mutant {
    pub from: Term,
    pub to: Term,
    pub edit: Edit,
    /// How much is changed: a boundary first, then constants, operators, variables.
    pub cost: u32,
}

/// The changes of a statement's terms. `variables` and `constants` are what else the procedure speaks of.
pub fn mutants(terms: &[Term], variables: &[Term], constants: &[Bv]) -> Vec<Mutant> {
    let mut found = Vec::new();
    for term in terms {
        if let Some(Value::Bv(bits)) = term.value() {
            others(*bits, constants, &mut |to, cost| {
                let edit = Edit::Constant { from: *bits, to };
                found.push(Mutant { from: *term, to: Term::constant(Value::Bv(to)), edit, cost });
            });
        }
        if let (Some(width), None) = (term.sort().bv_width(), term.value()) {
            for step in [-1, 1] {
                let to = build::bv_add(*term, build::bv_signed(width, step));
                found.push(Mutant { from: *term, to, edit: Edit::OffByOne, cost: 2 });
            }
        }
        if term.is_var() {
            for (other, edit) in renamings(*term, variables) {
                found.push(Mutant { from: *term, to: other, edit, cost: 4 });
            }
        }
        if term.sort().is_bool() && term.value().is_none() {
            found.push(Mutant { from: *term, to: build::not(*term), edit: Edit::Negation, cost: 4 });
        }
    }
    for node in post_order(terms.iter().copied()) {
        if !node.args().is_empty() && !matches!(node.sort().kind(), SortKind::Memory(_)) {
            of_operator(node, &mut found);
            of_arguments(node, variables, constants, &mut found);
        }
    }
    found.retain(|mutant| mutant.from != mutant.to && mutant.from.sort() == mutant.to.sort());
    found.sort_by_key(|mutant| mutant.cost);
    found
}

fn of_operator(node: Term, found: &mut Vec<Mutant>) {
    let args = node.args();
    if let ([a, b], true) = (args, node.sort().is_bool()) {
        // One more or less at a bound.
        if let Some(width) = b.sort().bv_width().filter(|_| b.value().is_none()) {
            for step in [-1, 1] {
                let bound = build::bv_add(*b, build::bv_signed(width, step));
                let to = build::make(node.op(), &[*a, bound]);
                found.push(Mutant { from: node, to, edit: Edit::OffByOne, cost: 1 });
            }
        }
    }
    if let (Op::BvSlt | Op::BvSle | Op::BvUlt | Op::BvUle, [a, b]) = (node.op(), args) {
        let equal = build::eq(*a, *b);
        found.push(Mutant { from: node, to: equal, edit: Edit::Relation, cost: 2 });
        found.push(Mutant { from: node, to: build::not(equal), edit: Edit::Relation, cost: 2 });
    }
    let mut add = |op: Op, edit, cost| found.push(Mutant { from: node, to: build::make(&op, args), edit, cost });
    let operator = |from, to| Edit::Operator { from, to };
    match node.op() {
        Op::BvSlt => add(Op::BvSle, Edit::Strictness, 0),
        Op::BvSle => add(Op::BvSlt, Edit::Strictness, 0),
        Op::BvUlt => add(Op::BvUle, Edit::Strictness, 0),
        Op::BvUle => add(Op::BvUlt, Edit::Strictness, 0),
        Op::Lt => add(Op::Le, Edit::Strictness, 0),
        Op::Le => add(Op::Lt, Edit::Strictness, 0),
        Op::FpLt => add(Op::FpLe, Edit::Strictness, 0),
        Op::FpLe => add(Op::FpLt, Edit::Strictness, 0),
        Op::BvAdd => {
            match args[1].as_bv() {
                // Subtracting a constant is adding its negation.
                Some(_) => {
                    let negated = build::bv_add(args[0], build::bv_neg(args[1]));
                    let is_negative = args[1].as_bv().is_some_and(|bits| bits.signed() < 0);
                    let edit = if is_negative { operator("-", "+") } else { operator("+", "-") };
                    found.push(Mutant { from: node, to: negated, edit, cost: 2 });
                }
                // Which operand stands first in the source is not known any more.
                None => {
                    add(Op::BvSub, operator("+", "-"), 2);
                    let turned = build::bv_sub(args[1], args[0]);
                    found.push(Mutant { from: node, to: turned, edit: operator("+", "-"), cost: 2 });
                }
            }
            found.push(Mutant { from: node, to: args[0], edit: Edit::Operand, cost: 2 });
        }
        Op::BvSub => {
            add(Op::BvAdd, operator("-", "+"), 2);
            found.push(Mutant { from: node, to: args[0], edit: Edit::Operand, cost: 2 });
        }
        Op::BvMul => add(Op::BvAdd, operator("*", "+"), 3),
        Op::BvSdiv => add(Op::BvSrem, operator("/", "%"), 2),
        Op::BvSrem => add(Op::BvSdiv, operator("%", "/"), 2),
        Op::BvUdiv => add(Op::BvUrem, operator("/", "%"), 2),
        Op::BvUrem => add(Op::BvUdiv, operator("%", "/"), 2),
        Op::BvAnd => {
            add(Op::BvOr, operator("&", "|"), 2);
            add(Op::BvXor, operator("&", "^"), 3);
        }
        Op::BvOr => {
            add(Op::BvAnd, operator("|", "&"), 2);
            add(Op::BvXor, operator("|", "^"), 2);
        }
        Op::BvXor => {
            add(Op::BvAnd, operator("^", "&"), 2);
            add(Op::BvOr, operator("^", "|"), 2);
        }
        Op::BvShl => add(Op::BvLshr, operator("<<", ">>"), 2),
        Op::BvLshr => {
            add(Op::BvShl, operator(">>", "<<"), 2);
            add(Op::BvAshr, operator(">>", ">>"), 3);
        }
        Op::BvAshr => {
            add(Op::BvShl, operator(">>", "<<"), 2);
            add(Op::BvLshr, operator(">>", ">>"), 3);
        }
        Op::Add => add(Op::Sub, operator("+", "-"), 2),
        Op::Sub => add(Op::Add, operator("-", "+"), 2),
        Op::FpAdd(by) => add(Op::FpSub(*by), operator("+", "-"), 2),
        Op::FpSub(by) => add(Op::FpAdd(*by), operator("-", "+"), 2),
        Op::And | Op::Or => {
            let (op, edit) = match node.op() {
                Op::And => (Op::Or, operator("&&", "||")),
                _ => (Op::And, operator("||", "&&")),
            };
            add(op, edit, 2);
            for left_out in args {
                let rest = args.iter().copied().filter(|arg| arg != left_out).collect::<Vec<_>>();
                found.push(Mutant {
                    from: node,
                    to: build::make(node.op(), &pad(rest, node)),
                    edit: Edit::Operand,
                    cost: 3,
                });
            }
        }
        Op::Ite => found.push(Mutant {
            from: node,
            to: build::make(&Op::Ite, &[args[0], args[2], args[1]]),
            edit: Edit::Negation,
            cost: 3,
        }),
        Op::Eq if !matches!(args[0].sort().kind(), SortKind::Bool) => {
            for (op, edit) in [(Op::BvSle, operator("==", "<=")), (Op::BvUle, operator("==", "<="))] {
                if args[0].sort().bv_width().is_some() {
                    found.push(Mutant { from: node, to: build::make(&op, args), edit, cost: 3 });
                    let turned = build::make(&op, &[args[1], args[0]]);
                    found.push(Mutant { from: node, to: turned, edit: operator("==", ">="), cost: 3 });
                }
            }
            found.push(Mutant { from: node, to: build::not(node), edit: operator("==", "!="), cost: 2 });
        }
        _ => {}
    }
}

/// At least two operands, as the operator wants them.
fn pad(mut rest: Vec<Term>, node: Term) -> Vec<Term> {
    while rest.len() < 2 {
        rest.push(build::bool(matches!(node.op(), Op::And)));
    }
    rest
}

fn of_arguments(node: Term, variables: &[Term], constants: &[Bv], found: &mut Vec<Mutant>) {
    // The sizes of elements are no user's constants.
    let is_scaling = matches!(node.op(), Op::BvMul) && node.sort().bv_width() == Some(64);
    let is_memory = matches!(node.op(), Op::Load(_) | Op::Pointer | Op::Select | Op::Store);
    for (number, argument) in node.args().iter().enumerate() {
        let with = |other: Term| {
            let mut args = node.args().to_vec();
            args[number] = other;
            build::make(node.op(), &args)
        };
        match argument.value() {
            Some(Value::Bv(bits)) if !is_scaling && !is_memory => others(*bits, constants, &mut |to, cost| {
                let edit = Edit::Constant { from: *bits, to };
                found.push(Mutant { from: node, to: with(Term::constant(Value::Bv(to))), edit, cost });
            }),
            None if argument.is_var() => {
                for (other, edit) in renamings(*argument, variables) {
                    found.push(Mutant { from: node, to: with(other), edit, cost: 4 });
                }
            }
            _ => {}
        }
    }
}

/// Constants that may be meant in the place of one.
fn others(bits: Bv, constants: &[Bv], add: &mut dyn FnMut(Bv, u32)) {
    let width = bits.width();
    if width == 1 {
        return add(Bv::new(1, !bits.unsigned()), 1);
    }
    let near = [bits.signed() + 1, bits.signed() - 1];
    near.into_iter().for_each(|near| add(Bv::new(width, near as u128), 1));
    let shapes = [2 * bits.signed(), bits.signed() / 2, 2 * bits.signed() + 1, -bits.signed(), 0, 1];
    let same = constants.iter().filter(|other| other.width() == width).map(|other| other.signed());
    let mut seen = vec![bits.signed(), near[0], near[1]];
    for other in shapes.into_iter().chain(same) {
        if !seen.contains(&other) {
            seen.push(other);
            add(Bv::new(width, other as u128), 3);
        }
    }
}

/// Other variables in the place of one.
fn renamings<'a>(variable: Term, variables: &'a [Term]) -> impl Iterator<Item = (Term, Edit)> + 'a {
    let is_other = move |other: &&Term| **other != variable && other.sort() == variable.sort();
    variables.iter().filter(is_other).map(move |other| (*other, Edit::Variable { from: variable, to: *other }))
}
