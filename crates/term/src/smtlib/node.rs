//! How nodes look in SMT-LIB.

use super::names::{Names, memory_function};
use crate::printer::{Notation, Piece};
use crate::text::{rounded_name, rounding_name, vector};
use crate::visit::bound;
use crate::{FloatFormat, Op, Rounding, SortKind, Term, Value, bits, float};
use dashu::base::{Sign, UnsignedAbs};
use dashu::integer::IBig;
use dashu::rational::RBig;

/// SMT-LIB's notation.
pub(super) struct Smt<'a> {
    pub names: &'a Names,
}

impl Notation for Smt<'_> {
    fn node(&self, term: Term, out: &mut Vec<Piece>) {
        let head = match term.op() {
            Op::Const(value) => return out.push(Piece::text(self.value(value))),
            Op::Var { .. } => return out.push(Piece::text(self.names.variable(term).to_string())),
            Op::Apply(function) if term.args().is_empty() => {
                return out.push(Piece::text(self.names.function(function).to_string()));
            }
            Op::Apply(function) => self.names.function(function).to_string(),
            Op::Load(_) | Op::MemStore | Op::MemCopy | Op::MemFill | Op::ObjectAt => memory_function(term),
            Op::ConstArray(sort) => format!("(as const {})", self.names.sort(*sort)),
            Op::Forall(_) | Op::Exists(_) | Op::Lambda(_) => return self.binder(term, out),
            op => match completed(op, term) {
                Some(template) => return fill(&template, term.args(), out),
                None => head(op, term),
            },
        };
        out.push(Piece::text(format!("({head}")));
        for a in term.args() {
            out.extend([Piece::text(" "), Piece::Term(*a)]);
        }
        out.push(Piece::text(")"));
    }

    fn inside(&self, binder: Term, out: &mut Vec<Piece>) {
        let body = binder.args()[0];
        // A constant is no pattern.
        let triggers: Vec<Term> = binder.args()[1..].iter().filter(|t| t.value().is_none()).copied().collect();
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

impl Smt<'_> {
    fn binder(&self, term: Term, out: &mut Vec<Piece>) {
        let word = match term.op() {
            Op::Forall(_) => "forall",
            Op::Exists(_) => "exists",
            _ => "lambda",
        };
        let variable = |v: &Term| format!("({} {})", self.names.variable(*v), self.names.sort(v.sort()));
        let variables: Vec<String> = bound(term).iter().map(variable).collect();
        out.push(Piece::text(format!("({word} ({}) ", variables.join(" "))));
        out.extend([Piece::Scope(term), Piece::text(")")]);
    }

    fn value(&self, value: &Value) -> String {
        match value {
            Value::Bool(b) => b.to_string(),
            Value::Int(n) => integer(n),
            Value::Real(r) => real(r),
            Value::Bv(bv) => vector(bv.width(), bv.unsigned()),
            Value::Float(format, bits) => float_constant(*format, *bits),
            Value::Pointer { object, offset } => {
                let bits = u128::from(*object) << offset.width() | offset.unsigned();
                vector(crate::OBJECT_WIDTH + offset.width(), bits)
            }
            Value::Element(sort, n) => self.names.element(*sort, *n).to_string(),
            Value::Array(array) => {
                let sort = self.names.sort(value.sort());
                let mut text = format!("((as const {sort}) {})", self.value(&array.default));
                for (index, element) in &array.entries {
                    text = format!("(store {text} {} {})", self.value(index), self.value(element));
                }
                text
            }
        }
    }
}

fn integer(n: &IBig) -> String {
    if n.sign() == Sign::Negative { format!("(- {})", -n) } else { n.to_string() }
}

fn real(r: &RBig) -> String {
    let numerator = r.numerator().unsigned_abs();
    let magnitude =
        if r.is_int() { format!("{numerator}.0") } else { format!("(/ {numerator}.0 {}.0)", r.denominator()) };
    if r.numerator().sign() == Sign::Negative { format!("(- {magnitude})") } else { magnitude }
}

fn float_constant(format: FloatFormat, bits: u128) -> String {
    let FloatFormat { exponent, significand } = format;
    if float::is_nan(format, bits) {
        return format!("(_ NaN {exponent} {significand})");
    }
    let fraction_bits = significand - 1;
    let exponent_at = if format == FloatFormat::EXTENDED { fraction_bits + 1 } else { fraction_bits };
    let field = |at: u32, width: u32| format!("#b{:0>w$b}", bits::truncate(width, bits >> at), w = width as usize);
    format!("(fp {} {} {})", field(format.width() - 1, 1), field(exponent_at, exponent), field(0, fraction_bits))
}

/// Pieces of a template: `$0` and so on are the arguments.
fn fill(template: &str, args: &[Term], out: &mut Vec<Piece>) {
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('$') {
        let n = usize::from(after.as_bytes()[0] - b'0');
        out.extend([Piece::text(before.to_string()), Piece::Term(args[n])]);
        rest = &after[1..];
    }
    out.push(Piece::text(rest.to_string()));
}

/// Operators that SMT-LIB does not have or leaves open somewhere, written out as a template.
fn completed(op: &Op, term: Term) -> Option<String> {
    let argument = |n: usize| term.args()[n];
    let nonzero =
        |n: usize| argument(n).value().is_some_and(|v| *v != Value::Int(IBig::ZERO) && *v != Value::Real(RBig::ZERO));
    let width = |n: usize| argument(n).sort().bv_width().unwrap_or_default();
    Some(match op {
        Op::IntDiv if !nonzero(1) => "(let ((?b $1)) (ite (= ?b 0) 0 (div $0 ?b)))".to_string(),
        Op::IntMod if !nonzero(1) => "(let ((?a $0) (?b $1)) (ite (= ?b 0) ?a (mod ?a ?b)))".to_string(),
        Op::RealDiv if !nonzero(1) => "(let ((?b $1)) (ite (= ?b 0.0) 0.0 (/ $0 ?b)))".to_string(),
        Op::BvToInt { signed: true } => {
            let (top, modulus) = (width(0) - 1, IBig::ONE << width(0) as usize);
            format!("(let ((?a $0)) (- (bv2nat ?a) (ite (= ((_ extract {top} {top}) ?a) #b1) {modulus} 0)))")
        }
        Op::FpToReal => "(let ((?a $0)) (ite (or (fp.isNaN ?a) (fp.isInfinite ?a)) 0.0 (fp.to_real ?a)))".to_string(),
        Op::FpToBv { width, signed, rounding } => to_vector(format_of(argument(0))?, *width, *signed, *rounding),
        Op::FpToBits => to_bits(format_of(argument(0))?),
        Op::FpFromBits(FloatFormat::EXTENDED) => from_extended_bits(),
        Op::PointerObject => {
            let offset = term.args()[0].sort().bytes().unwrap_or_default() * 8;
            format!("((_ extract {} {offset}) $0)", offset + crate::OBJECT_WIDTH - 1)
        }
        Op::PointerOffset => {
            format!("((_ extract {} 0) $0)", term.args()[0].sort().bytes().unwrap_or_default() * 8 - 1)
        }
        _ => return None,
    })
}

fn format_of(term: Term) -> Option<FloatFormat> {
    match term.sort().kind() {
        SortKind::Float(format) => Some(*format),
        _ => None,
    }
}

/// Float to bit-vector where it fits, 10...0 elsewhere.
fn to_vector(format: FloatFormat, width: u32, signed: bool, rounding: Rounding) -> String {
    let greatest_exponent = |format: FloatFormat| (1u32 << (format.exponent - 1)) - 1;
    // In a format of few exponents the integer above the greatest float is none; it is one in quad.
    let (format, argument) = if greatest_exponent(format) < format.significand - 1 {
        (FloatFormat::QUAD, "((_ to_fp 15 113) RNE $0)")
    } else {
        (format, "$0")
    };
    let FloatFormat { exponent, significand } = format;
    let mode = rounding_name(rounding);
    // Two to the n, if that is a float: what is beyond the greatest exponent is beyond all finite floats.
    let power = |n: u32| {
        let exact = RBig::from(IBig::ONE << n as usize);
        (n <= greatest_exponent(format)).then(|| float::from_real(format, Rounding::NearestEven, &exact))
    };
    let bound = if signed { width - 1 } else { width };
    let above = match power(bound) {
        Some(bits) => float_constant(format, bits),
        None => format!("(_ +oo {exponent} {significand})"),
    };
    let below = match (signed, power(bound)) {
        (false, _) => format!("(fp.leq (_ +zero {exponent} {significand}) ?r)"),
        (true, Some(bits)) => format!("(fp.leq {} ?r)", float_constant(format, float::neg(format, bits))),
        (true, None) => format!("(fp.lt (_ -oo {exponent} {significand}) ?r)"),
    };
    let name = if signed { "fp.to_sbv" } else { "fp.to_ubv" };
    let other = vector(width, bits::signed_min(width));
    format!(
        "(let ((?a {argument})) (let ((?r (fp.roundToIntegral {mode} ?a))) \
         (ite (and {below} (fp.lt ?r {above})) ((_ {name} {width}) {mode} ?a) {other})))"
    )
}

/// The bit pattern of a float, of NaN the one we have.
fn to_bits(format: FloatFormat) -> String {
    let nan = vector(format.width(), float::nan(format));
    let bits = if format == FloatFormat::EXTENDED {
        "(let ((?v (fp.to_ieee_bv ?a))) (concat ((_ extract 78 63) ?v) (concat \
         (ite (= ((_ extract 77 63) ?v) #b000000000000000) #b0 #b1) ((_ extract 62 0) ?v))))"
    } else {
        "(fp.to_ieee_bv ?a)"
    };
    format!("(let ((?a $0)) (ite (fp.isNaN ?a) {nan} {bits}))")
}

/// The float of an x87 bit pattern: exponents without the integer bit are NaN, and the integer bit without an exponent
/// is the least exponent.
fn from_extended_bits() -> String {
    "(let ((?a $0)) (let ((?e ((_ extract 78 64) ?a)) (?i ((_ extract 63 63) ?a))) \
     (ite (and (= ?i #b0) (not (= ?e #b000000000000000))) (_ NaN 15 64) \
     (fp ((_ extract 79 79) ?a) (ite (and (= ?i #b1) (= ?e #b000000000000000)) #b000000000000001 ?e) \
     ((_ extract 62 0) ?a)))))"
        .to_string()
}

/// The head of an operator that SMT-LIB has.
fn head(op: &Op, term: Term) -> String {
    let added = |to: &u32| to - term.args()[0].sort().bv_width().unwrap_or_default();
    let to_fp = |name: &str, format: &FloatFormat, rounding: &Rounding| {
        format!("(_ {name} {} {}) {}", format.exponent, format.significand, rounding_name(*rounding))
    };
    match op {
        Op::Extract { high, low } => format!("(_ extract {high} {low})"),
        Op::ZeroExtend(to) => format!("(_ zero_extend {})", added(to)),
        Op::SignExtend(to) => format!("(_ sign_extend {})", added(to)),
        Op::BvToInt { .. } => "bv2nat".to_string(),
        Op::IntToBv(width) => format!("(_ int2bv {width})"),
        Op::FpRoundToIntegral(rounding) => format!("fp.roundToIntegral {}", rounding_name(*rounding)),
        Op::FpToFp(format, rounding) | Op::RealToFp(format, rounding) => to_fp("to_fp", format, rounding),
        Op::BvToFp { format, signed: true, rounding } => to_fp("to_fp", format, rounding),
        Op::BvToFp { format, signed: false, rounding } => to_fp("to_fp_unsigned", format, rounding),
        Op::FpFromBits(format) => format!("(_ to_fp {} {})", format.exponent, format.significand),
        Op::Pointer => "concat".to_string(),
        op => match rounded_name(op) {
            Some((name, rounding)) => format!("{name} {}", rounding_name(rounding)),
            None => crate::text::plain_name(op).unwrap_or_default().to_string(),
        },
    }
}
