//! Printing.

use super::names::{is_reserved, plain_name, rounded_name, rounding_name};
use crate::printer::{Notation, Piece, Printer};
use crate::symbol::{has_bare_form, write_quoted};
use crate::visit::{bound, post_order};
use crate::{FloatFormat, Function, Op, Rounding, Sort, Term, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use source::Symbol;
use std::fmt;

/// The term in the notation of [`crate::text`].
pub fn print(term: Term) -> String {
    let mut text = String::new();
    // Writing to a string does not fail.
    let _ = write(&mut text, term);
    text
}

/// Writes the term in the notation of [`crate::text`].
pub fn write(f: &mut dyn fmt::Write, term: Term) -> fmt::Result {
    Printer::new(&Text::for_term(term), &[term]).write(f, term)
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write(f, *self)
    }
}

impl fmt::Debug for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write(f, *self)
    }
}

/// In the notation for constants.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_value(f, self)
    }
}

/// Our notation, with the names that need more than themselves.
struct Text {
    /// Names of variables of several sorts.
    ambiguous_variables: FxHashSet<Symbol>,
    /// Names and parameters of functions of several results.
    ambiguous_functions: FxHashSet<(Symbol, &'static [Sort])>,
}

impl Text {
    fn for_term(term: Term) -> Text {
        let mut variables: FxHashMap<Symbol, Sort> = FxHashMap::default();
        let mut functions: FxHashMap<(Symbol, &'static [Sort]), Sort> = FxHashMap::default();
        let mut text = Text { ambiguous_variables: FxHashSet::default(), ambiguous_functions: FxHashSet::default() };
        let mut variable = |v: Term| {
            if let Op::Var { name, sort, .. } = v.op()
                && *variables.entry(*name).or_insert(*sort) != *sort
            {
                text.ambiguous_variables.insert(*name);
            }
        };
        for t in post_order([term]) {
            variable(t);
            bound(t).iter().for_each(|v| variable(*v));
            if let Op::Apply(function) = t.op() {
                let key = (function.name, &function.parameters[..]);
                if *functions.entry(key).or_insert(function.result) != function.result {
                    text.ambiguous_functions.insert(key);
                }
            }
        }
        text
    }

    fn apply_head(&self, function: &'static Function) -> String {
        let mut head = String::from("(");
        if self.ambiguous_functions.contains(&(function.name, &function.parameters[..])) {
            let parameters: Vec<String> = function.parameters.iter().map(|s| s.to_string()).collect();
            head += &format!("(as {} ({}) {})", name(function.name), parameters.join(" "), function.result);
        } else {
            head += &name(function.name);
        }
        head
    }
}

impl Notation for Text {
    fn node(&self, term: Term, out: &mut Vec<Piece>) {
        let head = match term.op() {
            Op::Const(value) => return out.push(Piece::text(value.to_string())),
            Op::Var { name, sort, .. } if self.ambiguous_variables.contains(name) => {
                return out.push(Piece::text(format!("(as {} {sort})", variable(term))));
            }
            Op::Var { .. } => return out.push(Piece::text(variable(term))),
            Op::Apply(function) => self.apply_head(function),
            Op::Forall(_) | Op::Exists(_) | Op::Lambda(_) => {
                out.push(Piece::text(binder_head(term)));
                return out.extend([Piece::Scope(term), Piece::text(")")]);
            }
            op => match plain_name(op) {
                Some(name) => format!("({name}"),
                None => format!("({}", indexed_head(op, term)),
            },
        };
        out.push(Piece::text(head));
        for a in term.args() {
            out.extend([Piece::text(" "), Piece::Term(*a)]);
        }
        out.push(Piece::text(")"));
    }

    fn inside(&self, binder: Term, out: &mut Vec<Piece>) {
        let (body, triggers) = (binder.args()[0], &binder.args()[1..]);
        if triggers.is_empty() {
            return out.push(Piece::Block(body));
        }
        out.extend([Piece::text("(! "), Piece::Block(body), Piece::text(" :pattern (")]);
        for (i, trigger) in triggers.iter().enumerate() {
            out.extend([Piece::text(if i == 0 { "" } else { " " }), Piece::Block(*trigger)]);
        }
        out.push(Piece::text("))"));
    }

    fn name(&self, n: usize) -> String {
        format!("?{n}")
    }
}

fn binder_head(term: Term) -> String {
    let word = match term.op() {
        Op::Forall(_) => "forall",
        Op::Exists(_) => "exists",
        _ => "lambda",
    };
    let bound: Vec<String> = bound(term).iter().map(|v| format!("({} {})", variable(*v), v.sort())).collect();
    format!("({word} ({}) ", bound.join(" "))
}

/// The head of an operator with indices.
fn indexed_head(op: &Op, term: Term) -> String {
    let converted = |name: &str, format: &FloatFormat, rounding: &Rounding| {
        format!("(_ {name} {} {} {})", format.exponent, format.significand, rounding_name(*rounding))
    };
    let added = |to: &u32| to - term.args()[0].sort().bv_width().unwrap_or_default();
    match op {
        Op::Extract { high, low } => format!("(_ extract {high} {low})"),
        Op::ZeroExtend(to) => format!("(_ zero_extend {})", added(to)),
        Op::SignExtend(to) => format!("(_ sign_extend {})", added(to)),
        Op::IntToBv(width) => format!("(_ int_to_bv {width})"),
        Op::FpRoundToIntegral(rounding) => format!("(_ fp.roundToIntegral {})", rounding_name(*rounding)),
        Op::FpToFp(format, rounding) => converted("fp.to_fp", format, rounding),
        Op::BvToFp { format, signed: true, rounding } => converted("sbv.to_fp", format, rounding),
        Op::BvToFp { format, signed: false, rounding } => converted("ubv.to_fp", format, rounding),
        Op::RealToFp(format, rounding) => converted("real.to_fp", format, rounding),
        Op::FpFromBits(format) => format!("(_ fp.from_bits {} {})", format.exponent, format.significand),
        Op::FpToBv { width, signed, rounding } => {
            format!("(_ {} {width} {})", if *signed { "fp.to_sbv" } else { "fp.to_ubv" }, rounding_name(*rounding))
        }
        Op::ConstArray(sort) => format!("(as const {sort})"),
        Op::Load(sort) => format!("(_ load {sort})"),
        op => match rounded_name(op) {
            Some((name, rounding)) => format!("(_ {name} {})", rounding_name(rounding)),
            None => unreachable!("{op:?} has a notation of its own"),
        },
    }
}

fn name(symbol: Symbol) -> String {
    let name = symbol.as_str();
    if has_bare_form(name) && !is_reserved(name) {
        return name.to_string();
    }
    let mut quoted = String::new();
    let _ = write_quoted(&mut quoted, name);
    quoted
}

fn variable(term: Term) -> String {
    match term.op() {
        Op::Var { name: symbol, instance: 0, .. } => name(*symbol),
        Op::Var { name: symbol, instance, .. } => format!("{}@{instance}", name(*symbol)),
        op => unreachable!("{op:?} is no variable"),
    }
}

/// Hexadecimal where the width allows it, binary otherwise.
pub(crate) fn vector(width: u32, bits: u128) -> String {
    if width.is_multiple_of(4) {
        format!("#x{bits:0>w$x}", w = (width / 4) as usize)
    } else {
        format!("#b{bits:0>w$b}", w = width as usize)
    }
}

fn write_value(f: &mut fmt::Formatter<'_>, value: &Value) -> fmt::Result {
    match value {
        Value::Bool(b) => write!(f, "{b}"),
        Value::Int(n) => write!(f, "{n}"),
        Value::Real(r) if r.is_int() => write!(f, "{}.0", r.numerator()),
        Value::Real(r) => write!(f, "{}/{}", r.numerator(), r.denominator()),
        Value::Bv(bv) => f.write_str(&vector(bv.width(), bv.unsigned())),
        Value::Float(format, bits) => {
            write!(f, "(_ float {} {} {})", format.exponent, format.significand, vector(format.width(), *bits))
        }
        Value::Pointer { object, offset } => {
            write!(f, "(_ ptr {object} {})", vector(offset.width(), offset.unsigned()))
        }
        Value::Element(sort, n) => write!(f, "(_ element {n} {sort})"),
        Value::Array(array) => {
            write!(f, "(_ array {} {}", array.index, array.default)?;
            array.entries.iter().try_for_each(|(index, element)| write!(f, " ({index} {element})"))?;
            f.write_str(")")
        }
    }
}
