//! Machine integers read as mathematical ones, to find predicates.
//!
//! Interpolation is fast and gives useful predicates over linear integer arithmetic; over bit-vectors it does neither. So a
//! path's formulas are read as if nothing wrapped around, with a vector as its signed value, and the interpolants' atoms
//! are read back as exact statements about vectors, in vectors wide enough that nothing wraps.
//!
//! Neither direction needs to be sound: a predicate is only a question to ask, and abstraction answers it bit-precisely. If the
//! reading makes an infeasible path feasible, other ways of finding predicates are left.

use dashu::base::{Abs, BitTest};
use dashu::integer::IBig;
use rustc_hash::FxHashMap;
use term::build::{
    add, and, bv_mul, bv_signed, bv_sle, bv_slt, eq, int, ite, le, lt, mul, neg, not, or, sign_extend, sub,
};
use term::visit::post_order;
use term::{Function, Op, Sort, SortKind, Term, Value, build};

/// The reading of one path's formulas, and the way back.
#[derive(Default)]
pub struct Relaxation {
    read: FxHashMap<Term, Option<Term>>,
    /// The vector or pointer variable that an integer variable stands for.
    variables: FxHashMap<Term, Term>,
    /// The operator that an uninterpreted function stands for, with the sorts of its arguments.
    functions: FxHashMap<Function, (Op, Vec<Sort>)>,
}

impl Relaxation {
    /// The formula over integers; `None` if it has parts that cannot be read so.
    pub fn relax(&mut self, formula: Term) -> Option<Term> {
        for term in post_order([formula]) {
            if !self.read.contains_key(&term) {
                let result = self.node(term);
                self.read.insert(term, result);
            }
        }
        self.read[&formula]
    }

    fn node(&mut self, term: Term) -> Option<Term> {
        let sort = relaxed_sort(term.sort())?;
        if let Op::Const(value) = term.op() {
            return constant(value).or((sort == term.sort()).then_some(term));
        }
        if let Op::Var { name, instance, .. } = term.op() {
            let variable = Term::new(Op::Var { name: *name, instance: *instance, sort }, &[]);
            self.variables.insert(variable, term);
            return Some(variable);
        }
        let mut args = Vec::with_capacity(term.args().len());
        for arg in term.args() {
            args.push(self.read[arg]?);
        }
        let width = term.args().first().and_then(|arg| arg.sort().bv_width());
        Some(match (term.op(), &args[..]) {
            (Op::BvAdd, [a, b]) => add(*a, *b),
            (Op::BvSub, [a, b]) => sub(*a, *b),
            (Op::BvNeg, [a]) => neg(*a),
            (Op::BvMul, [a, b]) if a.value().is_some() || b.value().is_some() => mul(*a, *b),
            (Op::BvSlt, [a, b]) => lt(*a, *b),
            (Op::BvSle, [a, b]) => le(*a, *b),
            (Op::BvUlt, [a, b]) => unsigned(*a, *b, lt),
            (Op::BvUle, [a, b]) => unsigned(*a, *b, le),
            (Op::SignExtend(_), [a]) => *a,
            (Op::ZeroExtend(_), [a]) => ite(le(int(0), *a), *a, add(*a, int(IBig::ONE << width? as usize))),
            (Op::Extract { low: 0, .. }, [a]) => *a,
            (Op::ConstArray(_), [a]) => build::const_array(sort, *a),
            (
                Op::Not
                | Op::And
                | Op::Or
                | Op::Implies
                | Op::Xor
                | Op::Eq
                | Op::Ite
                | Op::Select
                | Op::Store
                | Op::Add
                | Op::Sub
                | Op::Mul
                | Op::Neg
                | Op::Le
                | Op::Lt
                | Op::IntDiv
                | Op::IntMod,
                _,
            ) => build::make(term.op(), &args),
            _ if term.args().iter().all(|arg| is_plain(arg.sort())) && is_plain(term.sort()) => {
                self.uninterpreted(term, &args, sort)
            }
            _ => return None,
        })
    }

    /// What arithmetic cannot express is a function of its arguments, and no more.
    fn uninterpreted(&mut self, term: Term, args: &[Term], result: Sort) -> Term {
        let sorts: Vec<Sort> = term.args().iter().map(|arg| arg.sort()).collect();
        let name = format!("{:?} {:?} {}", term.op(), sorts, term.sort());
        let parameters = args.iter().map(|arg| arg.sort()).collect();
        let function = Function { name: name.as_str().into(), parameters, result };
        self.functions.insert(function.clone(), (term.op().clone(), sorts));
        build::apply(function, args)
    }

    /// An atom over integers as one over vectors.
    pub fn restore(&self, atom: Term) -> Option<Term> {
        let compare = match atom.op() {
            Op::Eq if atom.args()[0].sort() == Sort::int() => Compare::Eq,
            Op::Le => Compare::Le,
            Op::Lt => Compare::Lt,
            Op::Var { .. } => return self.variables.get(&atom).copied(),
            _ => return None,
        };
        let [left, right] = atom.args() else { return None };
        let mut sum = Sum::default();
        sum.add(*left, IBig::ONE)?;
        sum.add(*right, -IBig::ONE)?;
        self.comparison(compare, sum)
    }

    /// A comparison of a sum with zero.
    fn comparison(&self, compare: Compare, sum: Sum) -> Option<Term> {
        let mut parts = Vec::new();
        for (part, factor) in &sum.parts {
            parts.push((self.plain(*part, None)?, factor.clone()));
        }
        if let [(pointer, factor)] = &parts[..]
            && let SortKind::Pointer(width) = pointer.sort().kind()
        {
            let value = &sum.constant * (if *factor > IBig::ZERO { -IBig::ONE } else { IBig::ONE });
            return (compare == Compare::Eq).then(|| Some(eq(*pointer, pointer_constant(&value, *width)?)))?;
        }
        if let [(one, a), (other, b)] = &parts[..]
            && one.sort() == other.sort()
            && sum.constant == IBig::ZERO
            && *a == -b.clone()
        {
            let (small, large) = if *a > IBig::ZERO { (*one, *other) } else { (*other, *one) };
            if compare == Compare::Eq || one.sort().bv_width().is_some() {
                return Some(compare.vectors(small, large));
            }
        }
        if parts.iter().any(|(part, _)| part.sort().bv_width().is_none()) {
            return None;
        }
        if let [(part, factor)] = &parts[..]
            && (*factor == IBig::ONE || *factor == -IBig::ONE)
        {
            return bounded(compare, *part, *factor == IBig::ONE, &sum.constant);
        }
        wide(compare, &parts, &sum.constant)
    }

    /// A part of a sum as a vector or pointer; a number takes the sort that is expected of it.
    fn plain(&self, term: Term, expected: Option<Sort>) -> Option<Term> {
        match (term.op(), term.args()) {
            (Op::Var { .. }, _) => fitted(*self.variables.get(&term)?, expected),
            (Op::Const(Value::Int(number)), _) => match expected?.kind() {
                SortKind::BitVec(width) => Some(bv_signed(*width, i128::try_from(number).ok()?)),
                SortKind::Pointer(width) => pointer_constant(number, *width),
                _ => None,
            },
            (Op::Apply(function), args) => {
                let (op, sorts) = self.functions.get(function)?;
                let args: Option<Vec<Term>> =
                    args.iter().zip(sorts).map(|(arg, sort)| self.plain(*arg, Some(*sort))).collect();
                fitted(Term::try_new(op.clone(), &args?).ok()?, expected)
            }
            (Op::Select, [array, index]) => {
                let array = self.plain(*array, None)?;
                let SortKind::Array(from, _) = array.sort().kind() else { return None };
                fitted(build::select(array, self.plain(*index, Some(*from))?), expected)
            }
            (Op::Store, [array, index, value]) => {
                let array = self.plain(*array, None)?;
                let SortKind::Array(from, to) = array.sort().kind() else { return None };
                let stored = build::store(array, self.plain(*index, Some(*from))?, self.plain(*value, Some(*to))?);
                fitted(stored, expected)
            }
            _ => {
                // An index or element may itself be a sum.
                let SortKind::BitVec(width) = expected?.kind() else { return None };
                let mut sum = Sum::default();
                sum.add(term, IBig::ONE)?;
                let mut result = bv_signed(*width, i128::try_from(&sum.constant).ok()?);
                for (part, factor) in &sum.parts {
                    let part = self.plain(*part, expected)?;
                    let factor = bv_signed(*width, i128::try_from(factor).ok()?);
                    result = build::bv_add(result, bv_mul(factor, part));
                }
                Some(result)
            }
        }
    }
}

/// A term with the sort that is expected of it. Integers have no width: a part that was extended has the width that it had before.
fn fitted(term: Term, expected: Option<Sort>) -> Option<Term> {
    let Some(expected) = expected.filter(|expected| *expected != term.sort()) else { return Some(term) };
    let (from, to) = (term.sort().bv_width()?, expected.bv_width()?);
    Some(if from < to { sign_extend(to, term) } else { build::extract(to - 1, 0, term) })
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Compare {
    Eq,
    Le,
    Lt,
}

impl Compare {
    fn vectors(self, a: Term, b: Term) -> Term {
        match self {
            Compare::Eq => eq(a, b),
            Compare::Le => bv_sle(a, b),
            Compare::Lt => bv_slt(a, b),
        }
    }
}

/// A linear sum: parts with their factors, and a constant.
#[derive(Default)]
struct Sum {
    parts: Vec<(Term, IBig)>,
    constant: IBig,
}

impl Sum {
    fn add(&mut self, term: Term, factor: IBig) -> Option<()> {
        match (term.op(), term.args()) {
            (Op::Const(Value::Int(number)), _) => self.constant += number * factor,
            (Op::Add, args) => args.iter().try_for_each(|arg| self.add(*arg, factor.clone()))?,
            (Op::Sub, [a, b]) => {
                self.add(*a, factor.clone())?;
                self.add(*b, -factor)?;
            }
            (Op::Neg, [a]) => self.add(*a, -factor)?,
            (Op::Mul, [a, b]) => match (a.value(), b.value()) {
                (Some(Value::Int(number)), _) => self.add(*b, factor * number)?,
                (_, Some(Value::Int(number))) => self.add(*a, factor * number)?,
                _ => return None,
            },
            (Op::Ite | Op::IntDiv | Op::IntMod, _) => return None,
            _ => match self.parts.iter_mut().find(|(part, _)| *part == term) {
                Some((_, known)) => *known += factor,
                None => self.parts.push((term, factor)),
            },
        }
        self.parts.retain(|(_, factor)| *factor != IBig::ZERO);
        Some(())
    }
}

/// ±part + constant compared with zero, at the part's own width.
fn bounded(compare: Compare, part: Term, positive: bool, constant: &IBig) -> Option<Term> {
    let width = part.sort().bv_width()?;
    let bound = if positive { -constant.clone() } else { constant.clone() };
    let (least, most) = (-(IBig::ONE << (width as usize - 1)), (IBig::ONE << (width as usize - 1)) - IBig::ONE);
    if bound < least || bound > most {
        return None;
    }
    let bound = bv_signed(width, i128::try_from(&bound).ok()?);
    Some(if positive { compare.vectors(part, bound) } else { compare.vectors(bound, part) })
}

/// A comparison of a sum with zero, in vectors so wide that nothing wraps.
fn wide(compare: Compare, parts: &[(Term, IBig)], constant: &IBig) -> Option<Term> {
    let widest = parts.iter().filter_map(|(part, _)| part.sort().bv_width()).max()?;
    let factors: IBig = parts.iter().map(|(_, factor)| factor.clone().abs()).sum();
    let size = |number: &IBig| number.bit_len() as u32;
    let needed = (widest + size(&factors)).max(size(constant)) + 2;
    let width = [64, 128].into_iter().find(|width| needed <= *width)?;
    let mut sides = [bv_signed(width, 0), bv_signed(width, 0)];
    for (part, factor) in parts {
        let factor = i128::try_from(factor).ok()?;
        let side = &mut sides[usize::from(factor < 0)];
        *side = build::bv_add(*side, bv_mul(sign_extend(width, *part), bv_signed(width, factor.abs())));
    }
    let constant = i128::try_from(constant).ok()?;
    let side = &mut sides[usize::from(constant < 0)];
    *side = build::bv_add(*side, bv_signed(width, constant.abs()));
    Some(compare.vectors(sides[0], sides[1]))
}

/// An unsigned comparison of numbers that are read with their sign: negative ones are the large ones.
fn unsigned(a: Term, b: Term, compare: fn(Term, Term) -> Term) -> Term {
    let (a_small, b_small) = (le(int(0), a), le(int(0), b));
    or([and([a_small, not(b_small)]), and([eq(a_small, b_small), compare(a, b)])])
}

fn is_plain(sort: Sort) -> bool {
    sort.is_bool() || sort.bv_width().is_some() || matches!(sort.kind(), SortKind::Pointer(_))
}

fn relaxed_sort(sort: Sort) -> Option<Sort> {
    Some(match sort.kind() {
        SortKind::BitVec(_) | SortKind::Pointer(_) => Sort::int(),
        SortKind::Array(index, element) => Sort::array(relaxed_sort(*index)?, relaxed_sort(*element)?),
        SortKind::Float(_) | SortKind::Memory(_) => return None,
        _ => sort,
    })
}

fn constant(value: &Value) -> Option<Term> {
    match value {
        Value::Bv(number) => Some(int(number.signed())),
        Value::Pointer { object, offset } => Some(int((IBig::from(*object) << 64) + IBig::from(offset.unsigned()))),
        _ => None,
    }
}

/// The pointer that [`constant`] made a number of.
fn pointer_constant(number: &IBig, width: u32) -> Option<Term> {
    let number = u128::try_from(number).ok()?;
    let object = u32::try_from(number >> 64).ok()?;
    Some(Term::constant(Value::Pointer { object, offset: term::Bv::new(width, number & u64::MAX as u128) }))
}
