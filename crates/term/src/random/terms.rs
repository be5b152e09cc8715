//! Random terms over all operators.

use super::Random;
use crate::{FloatFormat, Function, Op, Rounding, Sort, SortKind, Term};
use source::Symbol;

/// Widths that arguments have where the operator leaves it open.
const WIDTHS: [u32; 14] = [1, 2, 3, 7, 8, 9, 16, 31, 32, 33, 64, 65, 127, 128];
/// Formats likewise.
const FORMATS: [FloatFormat; 7] = [
    FloatFormat { exponent: 2, significand: 3 },
    FloatFormat { exponent: 3, significand: 5 },
    FloatFormat::HALF,
    FloatFormat::SINGLE,
    FloatFormat::DOUBLE,
    FloatFormat::EXTENDED,
    FloatFormat::QUAD,
];

/// Makes random terms as plain nodes. Parts are used again now and then, so that terms share.
pub struct Terms {
    pub random: Random,
    /// Whether there may be memory, uninterpreted functions and binders: things that not every evaluation knows.
    pub everything: bool,
    /// What was made so far.
    made: Vec<Term>,
}

impl Terms {
    pub fn new(seed: u64) -> Terms {
        Terms { random: Random::new(seed), everything: false, made: Vec::new() }
    }

    /// A sort that has values.
    pub fn sort(&mut self) -> Sort {
        match self.random.below(12) {
            0 | 1 => Sort::bool(),
            2 => Sort::int(),
            3 => Sort::real(),
            4 | 5 => Sort::float(*self.random.pick(&FORMATS)),
            6 => Sort::pointer(32),
            7 => {
                let index = *self.random.pick(&[Sort::bool(), Sort::bv(2), Sort::int(), Sort::bv(32), Sort::object()]);
                let element = *self.random.pick(&[Sort::bool(), Sort::int(), Sort::bv(8), Sort::bv(32)]);
                Sort::array(index, element)
            }
            8 => Sort::new(SortKind::Uninterpreted(Symbol::new("U"), Vec::new())),
            _ => self.vector_sort(),
        }
    }

    fn vector_sort(&mut self) -> Sort {
        let width = if self.random.once_in(3) { 1 + self.random.below(128) as u32 } else { *self.random.pick(&WIDTHS) };
        Sort::bv(width)
    }

    fn rounding(&mut self) -> Rounding {
        use Rounding::*;
        *self.random.pick(&[NearestEven, NearestAway, TowardZero, TowardPositive, TowardNegative])
    }

    /// One of three variables of the sort.
    pub fn variable(&mut self, sort: Sort) -> Term {
        let name = *self.random.pick(&["x", "y", "z"]);
        Term::var(format!("{name}{sort}").as_str(), sort)
    }

    fn leaf(&mut self, sort: Sort) -> Term {
        if matches!(sort.kind(), SortKind::Memory(_)) || self.random.once_in(2) {
            return self.variable(sort);
        }
        let value = self.random.value(sort);
        Term::constant(value)
    }

    /// A term of the sort, of at most the given depth.
    pub fn term(&mut self, sort: Sort, depth: u32) -> Term {
        if depth == 0 || self.random.once_in(8) {
            return self.leaf(sort);
        }
        if !self.made.is_empty() && self.random.once_in(5) {
            let again = *self.random.pick(&self.made);
            if again.sort() == sort {
                return again;
            }
        }
        let depth = depth - 1;
        let (op, sorts) = self.operator(sort);
        let args: Vec<Term> = match op {
            // Equal arguments and complements are what many rules look for.
            Op::And | Op::Or => {
                let mut args: Vec<Term> = sorts.iter().map(|s| self.term(*s, depth)).collect();
                if self.random.once_in(3) {
                    args.push(Term::new(Op::Not, &[args[0]]));
                }
                args
            }
            _ => sorts.iter().map(|s| self.term(*s, depth)).collect(),
        };
        let args = match &args[..] {
            [a, b] if a.sort() == b.sort() && self.random.once_in(12) => vec![*a, *a],
            _ => args,
        };
        let term = Term::new(op, &args);
        if self.made.len() > 200 {
            self.made.clear();
        }
        self.made.push(term);
        term
    }

    /// An operator with a result of the sort, and the sorts of its arguments.
    pub fn operator(&mut self, sort: Sort) -> (Op, Vec<Sort>) {
        if self.random.once_in(6) {
            return (Op::Ite, vec![Sort::bool(), sort, sort]);
        }
        if self.everything && self.random.once_in(8) {
            let parameters = vec![self.sort(), self.sort()];
            let function = Function { name: Symbol::new("f"), parameters: parameters.clone(), result: sort };
            return (Op::Apply(function), parameters);
        }
        if self.random.once_in(8) && !matches!(sort.kind(), SortKind::Memory(_)) {
            let index = *self.random.pick(&[Sort::bool(), Sort::bv(2), Sort::int()]);
            return (Op::Select, vec![Sort::array(index, sort), index]);
        }
        if self.everything && sort.bytes().is_some() && self.random.once_in(4) {
            return (Op::Load(sort), vec![Sort::memory(32), Sort::pointer(32)]);
        }
        match *sort.kind() {
            SortKind::Bool => self.predicate(),
            SortKind::Int => self.integer(),
            SortKind::Real => self.real(),
            SortKind::BitVec(width) => self.vector(width),
            SortKind::Float(format) => self.float(format),
            SortKind::Array(index, element) => match self.random.below(4) {
                0 => (Op::ConstArray(sort), vec![element]),
                1 if self.everything => {
                    let variable = self.variable(index);
                    (Op::Lambda(vec![variable]), vec![element])
                }
                _ => (Op::Store, vec![sort, index, element]),
            },
            SortKind::Uninterpreted(..) => (Op::Ite, vec![Sort::bool(), sort, sort]),
            SortKind::Pointer(width) => (Op::Pointer, vec![Sort::object(), Sort::bv(width)]),
            SortKind::Memory(width) => {
                let pointer = Sort::pointer(width);
                match self.random.below(6) {
                    0 => (Op::MemCopy, vec![sort, pointer, pointer, Sort::bv(width)]),
                    1 => (Op::MemFill, vec![sort, pointer, Sort::bv(8), Sort::bv(width)]),
                    _ => {
                        let single = Sort::float(FloatFormat::SINGLE);
                        let stored = *self.random.pick(&[Sort::bv(8), Sort::bv(32), single, Sort::bv(64), pointer]);
                        (Op::MemStore, vec![sort, pointer, stored])
                    }
                }
            }
        }
    }

    fn predicate(&mut self) -> (Op, Vec<Sort>) {
        let bool = Sort::bool();
        match self.random.below(12) {
            0 => (Op::Not, vec![bool]),
            1 => (Op::Implies, vec![bool, bool]),
            2 => (Op::Xor, vec![bool, bool]),
            3 | 4 => {
                let count = 2 + self.random.below(3);
                (self.random.pick(&[Op::And, Op::Or]).clone(), vec![bool; count])
            }
            5 | 6 => {
                let sort = self.sort();
                (Op::Eq, vec![sort, sort])
            }
            7 => {
                let sort = *self.random.pick(&[Sort::int(), Sort::real()]);
                (self.random.pick(&[Op::Le, Op::Lt]).clone(), vec![sort, sort])
            }
            8 if self.everything => {
                let sort = self.sort();
                let binder: fn(Vec<Term>) -> Op = *self.random.pick(&[Op::Forall as fn(Vec<Term>) -> Op, Op::Exists]);
                let mut sorts = vec![bool];
                if self.random.once_in(3) {
                    sorts.push(self.sort());
                }
                (binder(vec![self.variable(sort)]), sorts)
            }
            8 | 9 => {
                let sort = Sort::float(*self.random.pick(&FORMATS));
                match self.random.below(9) {
                    0 => (Op::FpIsNan, vec![sort]),
                    1 => (Op::FpIsInfinite, vec![sort]),
                    2 => (Op::FpIsZero, vec![sort]),
                    3 => (Op::FpIsNormal, vec![sort]),
                    4 => (Op::FpIsSubnormal, vec![sort]),
                    5 => (Op::FpIsNegative, vec![sort]),
                    _ => (self.random.pick(&[Op::FpEq, Op::FpLt, Op::FpLe]).clone(), vec![sort, sort]),
                }
            }
            _ => {
                let sort = self.vector_sort();
                let op = self.random.pick(&[Op::BvUlt, Op::BvUle, Op::BvSlt, Op::BvSle]).clone();
                (op, vec![sort, sort])
            }
        }
    }

    fn integer(&mut self) -> (Op, Vec<Sort>) {
        let int = Sort::int();
        match self.random.below(10) {
            0 => (Op::Neg, vec![int]),
            1 => (Op::ToInt, vec![Sort::real()]),
            2 => (Op::BvToInt { signed: true }, vec![self.vector_sort()]),
            3 => (Op::BvToInt { signed: false }, vec![self.vector_sort()]),
            _ => {
                let ops = [Op::Add, Op::Add, Op::Sub, Op::Sub, Op::Mul, Op::IntDiv, Op::IntMod];
                (self.random.pick(&ops).clone(), vec![int, int])
            }
        }
    }

    fn real(&mut self) -> (Op, Vec<Sort>) {
        let real = Sort::real();
        match self.random.below(7) {
            0 => (Op::Neg, vec![real]),
            1 => (Op::ToReal, vec![Sort::int()]),
            2 => (Op::FpToReal, vec![Sort::float(*self.random.pick(&FORMATS[..3]))]),
            _ => (self.random.pick(&[Op::Add, Op::Sub, Op::Mul, Op::RealDiv]).clone(), vec![real, real]),
        }
    }

    fn vector(&mut self, width: u32) -> (Op, Vec<Sort>) {
        let sort = Sort::bv(width);
        match self.random.below(12) {
            0 => (self.random.pick(&[Op::BvNeg, Op::BvNot]).clone(), vec![sort]),
            1 if width > 1 => {
                let low = 1 + self.random.below(width as usize - 1) as u32;
                (Op::Concat, vec![Sort::bv(width - low), Sort::bv(low)])
            }
            2 | 3 => {
                let from = width + self.random.below((128 - width) as usize + 1) as u32;
                let low = self.random.below((from - width) as usize + 1) as u32;
                let low = if self.random.once_in(2) { 0 } else { low };
                (Op::Extract { high: low + width - 1, low }, vec![Sort::bv(from)])
            }
            4 | 5 => {
                let from = 1 + self.random.below(width as usize) as u32;
                (self.random.pick(&[Op::ZeroExtend(width), Op::SignExtend(width)]).clone(), vec![Sort::bv(from)])
            }
            6 => self.conversion_to_vector(width),
            _ => {
                use Op::*;
                let ops = [
                    BvAdd, BvAdd, BvSub, BvMul, BvUdiv, BvSdiv, BvUrem, BvSrem, BvAnd, BvOr, BvXor, BvShl, BvLshr,
                    BvAshr,
                ];
                (self.random.pick(&ops).clone(), vec![sort, sort])
            }
        }
    }

    /// An operator from another kind of sort to bit-vectors.
    fn conversion_to_vector(&mut self, width: u32) -> (Op, Vec<Sort>) {
        let format = *self.random.pick(&FORMATS);
        if let Some(format) = FORMATS.iter().find(|f| f.width() == width)
            && self.random.once_in(2)
        {
            return (Op::FpToBits, vec![Sort::float(*format)]);
        }
        match self.random.below(3) {
            0 => (Op::IntToBv(width), vec![Sort::int()]),
            1 if width == crate::OBJECT_WIDTH => {
                let bases = Sort::array(Sort::object(), Sort::bv(32));
                match self.random.below(3) {
                    0 => (Op::PointerObject, vec![Sort::pointer(32)]),
                    1 => (Op::PointerOffset, vec![Sort::pointer(32)]),
                    _ => (Op::ObjectAt, vec![bases, bases, Sort::bv(32)]),
                }
            }
            _ => {
                let signed = self.random.once_in(2);
                (Op::FpToBv { width, signed, rounding: self.rounding() }, vec![Sort::float(format)])
            }
        }
    }

    fn float(&mut self, format: FloatFormat) -> (Op, Vec<Sort>) {
        let sort = Sort::float(format);
        let rounding = self.rounding();
        match self.random.below(12) {
            0 => (self.random.pick(&[Op::FpNeg, Op::FpAbs, Op::FpSqrt(rounding)]).clone(), vec![sort]),
            1 => (Op::FpRoundToIntegral(rounding), vec![sort]),
            2 => (Op::FpFma(rounding), vec![sort; 3]),
            3 => (Op::FpToFp(format, rounding), vec![Sort::float(*self.random.pick(&FORMATS))]),
            4 => {
                let signed = self.random.once_in(2);
                (Op::BvToFp { format, signed, rounding }, vec![self.vector_sort()])
            }
            5 => (Op::FpFromBits(format), vec![Sort::bv(format.width())]),
            6 => (Op::RealToFp(format, rounding), vec![Sort::real()]),
            _ => {
                let ops = [Op::FpAdd, Op::FpAdd, Op::FpSub, Op::FpMul, Op::FpDiv, |_| Op::FpRem];
                (self.random.pick(&ops)(rounding), vec![sort, sort])
            }
        }
    }
}
