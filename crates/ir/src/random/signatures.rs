//! Which operators give a value of which sort.

use rustc_hash::FxHashMap;
use term::{FloatFormat, Function, Op, Rounding, Sort, SortKind};

/// An operator and the sorts of its arguments.
pub(super) type Signature = (Op, Vec<Sort>);

const ROUNDINGS: [Rounding; 5] = [
    Rounding::NearestEven,
    Rounding::NearestAway,
    Rounding::TowardZero,
    Rounding::TowardPositive,
    Rounding::TowardNegative,
];

/// The operators whose arguments and results have the given sorts, by result; binders are not among them.
pub(super) fn signatures(sorts: &[Sort], functions: &[Function]) -> FxHashMap<Sort, Vec<Signature>> {
    let mut table = Table { sorts, rows: FxHashMap::default() };
    table.formulas();
    for &sort in sorts {
        table.add(sort, Op::Ite, &[Sort::bool(), sort, sort]);
        table.add(Sort::bool(), Op::Eq, &[sort, sort]);
        match sort.kind() {
            SortKind::Int => table.integers(),
            SortKind::Real => table.reals(),
            SortKind::BitVec(width) => table.vectors(sort, *width),
            SortKind::Float(format) => table.floats(sort, *format),
            SortKind::Array(index, element) => table.arrays(sort, *index, *element),
            SortKind::Pointer(width) => table.pointers(sort, *width),
            SortKind::Memory(width) => table.memory(sort, *width),
            SortKind::Bool | SortKind::Uninterpreted(..) => {}
        }
    }
    for function in functions {
        table.add(function.result, Op::Apply(function.clone()), &function.parameters);
    }
    table.rows
}

struct Table<'a> {
    sorts: &'a [Sort],
    rows: FxHashMap<Sort, Vec<Signature>>,
}

impl Table<'_> {
    fn add(&mut self, result: Sort, op: Op, arguments: &[Sort]) {
        if self.sorts.contains(&result) && arguments.iter().all(|sort| self.sorts.contains(sort)) {
            self.rows.entry(result).or_default().push((op, arguments.to_vec()));
        }
    }

    fn formulas(&mut self) {
        let bool = Sort::bool();
        self.add(bool, Op::Not, &[bool]);
        for op in [Op::And, Op::Or, Op::Implies, Op::Xor] {
            self.add(bool, op, &[bool; 2]);
        }
        self.add(bool, Op::And, &[bool; 3]);
        self.add(bool, Op::Or, &[bool; 4]);
    }

    fn integers(&mut self) {
        let int = Sort::int();
        for op in [Op::Add, Op::Sub, Op::Mul, Op::IntDiv, Op::IntMod] {
            self.add(int, op, &[int; 2]);
        }
        self.add(int, Op::Neg, &[int]);
        self.add(int, Op::ToInt, &[Sort::real()]);
        self.add(Sort::bool(), Op::Le, &[int; 2]);
        self.add(Sort::bool(), Op::Lt, &[int; 2]);
    }

    fn reals(&mut self) {
        let real = Sort::real();
        for op in [Op::Add, Op::Sub, Op::Mul, Op::RealDiv] {
            self.add(real, op, &[real; 2]);
        }
        self.add(real, Op::Neg, &[real]);
        self.add(real, Op::ToReal, &[Sort::int()]);
        self.add(Sort::bool(), Op::Le, &[real; 2]);
        self.add(Sort::bool(), Op::Lt, &[real; 2]);
    }

    fn vectors(&mut self, sort: Sort, width: u32) {
        use Op::*;
        for op in [BvAdd, BvSub, BvMul, BvUdiv, BvSdiv, BvUrem, BvSrem, BvAnd, BvOr, BvXor, BvShl, BvLshr, BvAshr] {
            self.add(sort, op, &[sort; 2]);
        }
        for op in [BvUlt, BvUle, BvSlt, BvSle] {
            self.add(Sort::bool(), op, &[sort; 2]);
        }
        self.add(sort, BvNeg, &[sort]);
        self.add(sort, BvNot, &[sort]);
        for signed in [false, true] {
            self.add(Sort::int(), BvToInt { signed }, &[sort]);
        }
        self.add(sort, IntToBv(width), &[Sort::int()]);
        for &other in self.sorts {
            let Some(narrow) = other.bv_width().filter(|w| *w <= width) else { continue };
            self.add(sort, ZeroExtend(width), &[other]);
            self.add(sort, SignExtend(width), &[other]);
            self.add(other, Extract { high: narrow - 1, low: 0 }, &[sort]);
            self.add(other, Extract { high: width - 1, low: width - narrow }, &[sort]);
            if narrow < width {
                self.add(sort, Concat, &[other, Sort::bv(width - narrow)]);
            }
        }
    }

    fn floats(&mut self, sort: Sort, format: FloatFormat) {
        use Op::*;
        self.add(sort, FpRem, &[sort; 2]);
        for op in [FpEq, FpLt, FpLe] {
            self.add(Sort::bool(), op, &[sort; 2]);
        }
        for op in [FpIsNan, FpIsInfinite, FpIsZero, FpIsNormal, FpIsSubnormal, FpIsNegative] {
            self.add(Sort::bool(), op, &[sort]);
        }
        for op in [FpNeg, FpAbs] {
            self.add(sort, op, &[sort]);
        }
        self.add(sort, FpFromBits(format), &[Sort::bv(format.width())]);
        self.add(Sort::bv(format.width()), FpToBits, &[sort]);
        self.add(Sort::real(), FpToReal, &[sort]);
        for rounding in ROUNDINGS {
            for op in [FpAdd, FpSub, FpMul, FpDiv] {
                self.add(sort, op(rounding), &[sort; 2]);
            }
            self.add(sort, FpSqrt(rounding), &[sort]);
            self.add(sort, FpFma(rounding), &[sort; 3]);
            self.add(sort, FpRoundToIntegral(rounding), &[sort]);
            self.add(sort, RealToFp(format, rounding), &[Sort::real()]);
            for &other in self.sorts {
                match other.kind() {
                    SortKind::Float(_) => self.add(sort, FpToFp(format, rounding), &[other]),
                    SortKind::BitVec(width) => {
                        for signed in [false, true] {
                            self.add(sort, BvToFp { format, signed, rounding }, &[other]);
                            self.add(other, FpToBv { width: *width, signed, rounding }, &[sort]);
                        }
                    }
                    _ => {}
                }
            }
        }
    }

    fn arrays(&mut self, sort: Sort, index: Sort, element: Sort) {
        self.add(element, Op::Select, &[sort, index]);
        self.add(sort, Op::Store, &[sort, index, element]);
        self.add(sort, Op::ConstArray(sort), &[element]);
    }

    fn pointers(&mut self, sort: Sort, width: u32) {
        let (object, offset) = (Sort::object(), Sort::bv(width));
        let bases = Sort::array(object, offset);
        self.add(sort, Op::Pointer, &[object, offset]);
        self.add(object, Op::PointerObject, &[sort]);
        self.add(offset, Op::PointerOffset, &[sort]);
        self.add(object, Op::ObjectAt, &[bases, bases, offset]);
    }

    fn memory(&mut self, sort: Sort, width: u32) {
        let (pointer, length) = (Sort::pointer(width), Sort::bv(width));
        for &value in self.sorts {
            if value.bytes().is_some() {
                self.add(value, Op::Load(value), &[sort, pointer]);
                self.add(sort, Op::MemStore, &[sort, pointer, value]);
            }
        }
        self.add(sort, Op::MemCopy, &[sort, pointer, pointer, length]);
        self.add(sort, Op::MemFill, &[sort, pointer, Sort::bv(8), length]);
    }
}
