//! The abstract program as the paper prints P0 and P1 in Figure 1: with `u`, conditional expressions and parallel
//! assignments.
//!
//! A statement is printed for each edge. Elements of an array `a` are named `a_k`, with indices counted in elements:
//! a C array comes as a map from offsets in bytes, which are multiples of a *stride*.

use crate::abstraction::{Elements, element, linear_program};
use crate::program::Statement;
use arithmetic::terms::Sums;
use dashu::base::{Gcd, UnsignedAbs};
use dashu::integer::{IBig, UBig};
use ir::Program;
use rustc_hash::FxHashMap;
use std::fmt::Write;
use term::visit::post_order;
use term::{Op, SortKind, Term, Value};

/// The program with some elements of arrays, each array by the name that it is printed with. An error names an array
/// that there is not.
pub fn print(program: &Program, wanted: &[(String, Vec<i64>)]) -> Result<String, String> {
    let strides = strides(program);
    let arrays: Vec<Term> = strides.keys().copied().collect();
    let mut elements = Elements::new();
    for (name, indices) in wanted {
        let found: Vec<Term> = arrays.iter().copied().filter(|array| shown(*array) == *name).collect();
        let Some(array) = found.first() else {
            let mut names: Vec<String> = arrays.iter().map(|array| shown(*array)).collect();
            names.sort_unstable();
            return Err(format!("no array {name}; there are: {}", names.join(", ")));
        };
        let tracked = elements.entry(*array).or_default();
        tracked.extend(indices.iter().map(|index| IBig::from(*index) * &strides[array]));
    }
    let mut names: FxHashMap<Term, String> = FxHashMap::default();
    for (array, tracked) in &elements {
        for offset in tracked {
            if let Some(variable) = element(*array, offset) {
                names.insert(variable, format!("{}_{}", shown(*array), offset / &strides[array]));
            }
        }
    }
    let linear = linear_program(program, &elements);
    let mut text = String::new();
    for (id, procedure) in program.procedures() {
        let (Ok(cfa), Some(body)) = (&procedure.body, &linear.bodies[id.0 as usize]) else { continue };
        let printer = Printer { names: &names };
        let own = |at: usize| printer.term(body.variables[at], 0);
        let declared: Vec<String> = (0..body.variables.len()).map(own).collect();
        let _ = writeln!(text, "procedure {}() {{\n  int {};", procedure.name, declared.join(", "));
        for ((_, edge), statement) in cfa.edges().zip(&body.statements) {
            let said = match statement {
                Statement::Skip => ";".to_string(),
                Statement::Assign(pairs) => {
                    let left: Vec<String> = pairs.iter().map(|(at, _)| own(*at)).collect();
                    let right: Vec<String> = pairs.iter().map(|(_, value)| printer.term(*value, 0)).collect();
                    format!("{} = {};", left.join(", "), right.join(", "))
                }
                Statement::Condition(condition) => format!("assume({});", printer.term(*condition, 0)),
                Statement::Call { procedure, arguments, results } => {
                    let passed: Vec<String> = arguments.iter().map(|value| printer.term(*value, 0)).collect();
                    let results: Vec<String> = results.iter().map(|at| own(*at)).collect();
                    let taken = if results.is_empty() { String::new() } else { format!("{} = ", results.join(", ")) };
                    format!("{taken}{}({});", program.procedure(*procedure).name, passed.join(", "))
                }
                Statement::Unsupported(what) => format!("unsupported: {what};"),
            };
            let _ = writeln!(text, "  [{}] -> [{}]  {said}", edge.from.0, edge.to.0);
        }
        text.push_str("}\n");
    }
    Ok(text)
}

/// An array's name as the user knows it, where a pass made a map of it.
fn shown(array: Term) -> String {
    let name = array.name().map_or("", |name| name.as_str());
    let name = name.strip_prefix('*').unwrap_or(name);
    name.split('@').next().unwrap_or(name).to_string()
}

/// For each array the number that all indices are multiples of.
fn strides(program: &Program) -> FxHashMap<Term, IBig> {
    let (mut sums, mut strides) = (Sums::default(), FxHashMap::<Term, UBig>::default());
    for term in post_order(program.terms()) {
        if let (Op::Var { .. }, SortKind::Array(..)) = (term.op(), term.sort().kind()) {
            strides.entry(term).or_default();
        }
        let (Op::Select | Op::Store, [array, index, ..]) = (term.op(), term.args()) else { continue };
        let sum = sums.of(*index);
        let factors = sum.columns.iter().map(|(_, factor)| factor).chain([&sum.constant]);
        for base in post_order([*array]).into_iter().filter(|base| base.is_var() && base.sort() == array.sort()) {
            let stride = strides.entry(base).or_default();
            for factor in factors.clone().filter(|factor| !factor.is_zero()) {
                let number = factor.to_big().floor().unsigned_abs();
                *stride = if *stride == UBig::ZERO { number } else { stride.clone().gcd(number) };
            }
        }
    }
    let one = |stride: UBig| if stride == UBig::ZERO { IBig::ONE } else { IBig::from(stride) };
    strides.into_iter().map(|(array, stride)| (array, one(stride))).collect()
}

struct Printer<'a> {
    names: &'a FxHashMap<Term, String>,
}

impl Printer<'_> {
    /// A term as C writes it; in parentheses where what is around it binds closer.
    fn term(&self, term: Term, around: u8) -> String {
        let infix = |sign: &str, own: u8| {
            let parts: Vec<String> = term.args().iter().map(|arg| self.term(*arg, own)).collect();
            parenthesised(parts.join(sign), own < around || own == around && own >= 4)
        };
        match (term.op(), term.args()) {
            (Op::Var { name, instance, .. }, _) => match self.names.get(&term) {
                Some(name) => name.clone(),
                None if *instance > 0 => "u".to_string(),
                None => name.as_str().rsplit("::").next().unwrap_or_default().to_string(),
            },
            (Op::Const(Value::Int(value)), _) => value.to_string(),
            (Op::Const(value), _) => value.to_string(),
            (Op::Ite, [condition, a, b]) => {
                let [condition, a, b] = [(condition, 2), (a, 2), (b, 1)].map(|(part, own)| self.term(*part, own));
                parenthesised(format!("{condition} ? {a} : {b}"), around > 0)
            }
            (Op::Or, _) => infix(" || ", 2),
            (Op::And, _) => infix(" && ", 3),
            (Op::Not, [a]) => match (a.op(), a.args()) {
                (Op::Eq, [x, y]) => parenthesised(format!("{} != {}", self.term(*x, 4), self.term(*y, 4)), around >= 4),
                _ => format!("!{}", self.term(*a, 9)),
            },
            (Op::Eq, _) => infix(" == ", 4),
            (Op::Le, _) => infix(" <= ", 4),
            (Op::Lt, _) => infix(" < ", 4),
            (Op::Add, _) => infix(" + ", 5),
            (Op::Sub, _) => infix(" - ", 5),
            (Op::Mul, _) => infix(" * ", 6),
            (Op::IntDiv, _) => infix(" / ", 6),
            (Op::IntMod, _) => infix(" % ", 6),
            (Op::Neg, [a]) => format!("-{}", self.term(*a, 9)),
            _ => format!("{term}"),
        }
    }
}

fn parenthesised(text: String, needed: bool) -> String {
    if needed { format!("({text})") } else { text }
}
