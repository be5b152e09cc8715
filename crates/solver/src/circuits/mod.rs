//! Machine arithmetic as circuits, in whatever logic has gates. A vector is a slice of bits, the lowest first; a Boolean is one
//! bit, a pointer its offset's bits below its object's, a float its bit pattern.

mod float;

pub use float::{Floats, Packing};
use std::ops::{Deref, Not};
use term::{Bv, Op, Sort, SortKind, Value};

/// The bits of an object's identity.
const OBJECT: usize = term::OBJECT_WIDTH as usize;

/// How many bits the values of a sort have, if they have bits.
pub fn width(sort: Sort) -> Option<usize> {
    match sort.kind() {
        SortKind::Bool => Some(1),
        SortKind::BitVec(width) => Some(*width as usize),
        SortKind::Pointer(offset) => Some(*offset as usize + OBJECT),
        SortKind::Float(format) => Some(format.width() as usize),
        _ => None,
    }
}

/// What circuits are made of.
pub trait Logic {
    type Bit: Copy + Not<Output = Self::Bit>;

    fn constant(&self, value: bool) -> Self::Bit;
    /// The value of a bit that is constant.
    fn known(&self, bit: Self::Bit) -> Option<bool>;
    fn and(&mut self, a: Self::Bit, b: Self::Bit) -> Self::Bit;
    fn xor(&mut self, a: Self::Bit, b: Self::Bit) -> Self::Bit;
    fn ite(&mut self, condition: Self::Bit, a: Self::Bit, b: Self::Bit) -> Self::Bit;
    /// Whether at least two of three hold.
    fn majority(&mut self, a: Self::Bit, b: Self::Bit, c: Self::Bit) -> Self::Bit;
    /// The conjunction of many.
    fn all(&mut self, bits: &[Self::Bit]) -> Self::Bit;

    fn or(&mut self, a: Self::Bit, b: Self::Bit) -> Self::Bit {
        !self.and(!a, !b)
    }

    fn equal(&mut self, a: Self::Bit, b: Self::Bit) -> Self::Bit {
        !self.xor(a, b)
    }

    /// The disjunction of many.
    fn any(&mut self, bits: &[Self::Bit]) -> Self::Bit {
        let negated: Vec<Self::Bit> = bits.iter().map(|bit| !*bit).collect();
        !self.all(&negated)
    }
}

/// Circuits.
pub trait Circuits: Logic {
    /// The bits of a number.
    fn number(&self, width: usize, value: u128) -> Vec<Self::Bit> {
        (0..width).map(|bit| self.constant(bit < 128 && value >> bit & 1 == 1)).collect()
    }

    fn complement(&self, a: &[Self::Bit]) -> Vec<Self::Bit> {
        a.iter().map(|bit| !*bit).collect()
    }

    fn bitwise(
        &mut self,
        a: &[Self::Bit],
        b: &[Self::Bit],
        gate: fn(&mut Self, Self::Bit, Self::Bit) -> Self::Bit,
    ) -> Vec<Self::Bit> {
        a.iter().zip(b).map(|(a, b)| gate(self, *a, *b)).collect()
    }

    /// Chooses between two vectors.
    fn choose(&mut self, condition: Self::Bit, a: &[Self::Bit], b: &[Self::Bit]) -> Vec<Self::Bit> {
        a.iter().zip(b).map(|(a, b)| self.ite(condition, *a, *b)).collect()
    }

    fn same(&mut self, a: &[Self::Bit], b: &[Self::Bit]) -> Self::Bit {
        let mut equal = Vec::with_capacity(a.len());
        for (a, b) in a.iter().zip(b) {
            let bit = self.equal(*a, *b);
            if self.known(bit) == Some(false) {
                return bit;
            }
            equal.push(bit);
        }
        self.all(&equal)
    }

    /// a + b + carry, and what is carried out of it.
    fn carried_sum(&mut self, a: &[Self::Bit], b: &[Self::Bit], mut carry: Self::Bit) -> (Vec<Self::Bit>, Self::Bit) {
        let mut sum = Vec::with_capacity(a.len());
        for (&a, &b) in a.iter().zip(b) {
            let half = self.xor(a, b);
            sum.push(self.xor(half, carry));
            carry = self.majority(a, b, carry);
        }
        (sum, carry)
    }

    /// a + b + carry.
    fn sum(&mut self, a: &[Self::Bit], b: &[Self::Bit], carry: Self::Bit) -> Vec<Self::Bit> {
        self.carried_sum(a, b, carry).0
    }

    fn add(&mut self, a: &[Self::Bit], b: &[Self::Bit]) -> Vec<Self::Bit> {
        let carry = self.constant(false);
        self.sum(a, b, carry)
    }

    fn subtract(&mut self, a: &[Self::Bit], b: &[Self::Bit]) -> Vec<Self::Bit> {
        let carry = self.constant(true);
        self.sum(a, &self.complement(b), carry)
    }

    fn negate(&mut self, a: &[Self::Bit]) -> Vec<Self::Bit> {
        let zero = self.number(a.len(), 0);
        self.subtract(&zero, a)
    }

    /// -a if the condition holds, else a.
    fn negate_if(&mut self, condition: Self::Bit, a: &[Self::Bit]) -> Vec<Self::Bit> {
        let negated = self.negate(a);
        self.choose(condition, &negated, a)
    }

    fn multiply(&mut self, a: &[Self::Bit], b: &[Self::Bit]) -> Vec<Self::Bit> {
        // Each bit of the second factor costs an adder, unless it is known to be zero.
        let known = |logic: &Self, factor: &[Self::Bit]| factor.iter().filter(|l| logic.known(**l).is_some()).count();
        let (a, b) = if known(self, a) > known(self, b) { (b, a) } else { (a, b) };
        let width = a.len();
        let mut product = self.number(width, 0);
        for (shift, &bit) in b.iter().enumerate() {
            if self.known(bit) == Some(false) {
                continue;
            }
            let row: Vec<Self::Bit> = a[..width - shift].iter().map(|a| self.and(*a, bit)).collect();
            let high = self.add(&product[shift..], &row);
            product.truncate(shift);
            product.extend(high);
        }
        product
    }

    /// Quotient and remainder. Division by zero gives all ones and the dividend, as SMT-LIB has it.
    fn divide(&mut self, a: &[Self::Bit], b: &[Self::Bit]) -> (Vec<Self::Bit>, Vec<Self::Bit>) {
        let width = a.len();
        let no = self.constant(false);
        // Long division. The remainder stays below the divisor, so one bit more holds it when it is doubled; where the divisor
        // is zero, it is the dividend's highest bits and loses nothing either.
        let divisor: Vec<Self::Bit> = b.iter().copied().chain([no]).collect();
        let mut remainder = self.number(width + 1, 0);
        let mut quotient = vec![no; width];
        for bit in (0..width).rev() {
            remainder.pop();
            remainder.insert(0, a[bit]);
            quotient[bit] = self.subtract_if_it_fits(&mut remainder, &divisor);
        }
        remainder.pop();
        (quotient, remainder)
    }

    /// Subtracts `b` from `a` unless it is greater. Whether it is not.
    fn subtract_if_it_fits(&mut self, a: &mut Vec<Self::Bit>, b: &[Self::Bit]) -> Self::Bit {
        let carry = self.constant(true);
        let (less, fits) = self.carried_sum(a, &self.complement(b), carry);
        *a = self.choose(fits, &less, a);
        fits
    }

    /// Signed quotient and remainder, rounded toward zero.
    fn divide_signed(&mut self, a: &[Self::Bit], b: &[Self::Bit]) -> (Vec<Self::Bit>, Vec<Self::Bit>) {
        let (a_sign, b_sign) = (a[a.len() - 1], b[b.len() - 1]);
        let (a, b) = (self.negate_if(a_sign, a), self.negate_if(b_sign, b));
        let (quotient, remainder) = self.divide(&a, &b);
        let differ = self.xor(a_sign, b_sign);
        (self.negate_if(differ, &quotient), self.negate_if(a_sign, &remainder))
    }

    /// a < b, unsigned.
    fn less(&mut self, a: &[Self::Bit], b: &[Self::Bit]) -> Self::Bit {
        let mut less = self.constant(false);
        for (&a, &b) in a.iter().zip(b) {
            let differ = self.xor(a, b);
            less = self.ite(differ, b, less);
        }
        less
    }

    fn less_signed(&mut self, a: &[Self::Bit], b: &[Self::Bit]) -> Self::Bit {
        let flip = |bits: &[Self::Bit]| -> Vec<Self::Bit> {
            let mut bits = bits.to_vec();
            if let Some(sign) = bits.last_mut() {
                *sign = !*sign;
            }
            bits
        };
        self.less(&flip(a), &flip(b))
    }

    /// `a` moved by a distance; what comes in is `fill`, and all of it where the distance exceeds the width.
    fn shift(
        &mut self,
        a: &[Self::Bit],
        distance: &[Self::Bit],
        fill: Self::Bit,
        moved: impl Fn(usize, usize) -> Option<usize>,
    ) -> Vec<Self::Bit> {
        let width = a.len();
        let mut result = a.to_vec();
        let mut too_far = Vec::new();
        for (power, &bit) in distance.iter().enumerate() {
            let Some(step) = 1usize.checked_shl(power as u32).filter(|step| *step < width) else {
                too_far.push(bit);
                continue;
            };
            let far: Vec<Self::Bit> = (0..width).map(|to| moved(to, step).map_or(fill, |from| result[from])).collect();
            result = self.choose(bit, &far, &result);
        }
        let too_far = self.any(&too_far);
        result.into_iter().map(|bit| self.ite(too_far, fill, bit)).collect()
    }

    fn shift_left(&mut self, a: &[Self::Bit], distance: &[Self::Bit]) -> Vec<Self::Bit> {
        let no = self.constant(false);
        self.shift(a, distance, no, |to, step| to.checked_sub(step))
    }

    /// To the right; `fill` comes in from above.
    fn shift_right(&mut self, a: &[Self::Bit], distance: &[Self::Bit], fill: Self::Bit) -> Vec<Self::Bit> {
        let width = a.len();
        self.shift(a, distance, fill, |to, step| Some(to + step).filter(|from| *from < width))
    }

    /// What an operator makes of the bits of its arguments; `None` for operators that are about more than bits: constants,
    /// variables, arrays, functions, numbers of other kinds. `width` is that of the result.
    fn operate(&mut self, op: &Op, args: &[impl Deref<Target = [Self::Bit]>], width: usize) -> Option<Vec<Self::Bit>> {
        Some(match (op, args) {
            (Op::Not | Op::BvNot, [a]) => self.complement(a),
            (Op::And, args) => vec![self.all(&joined(args))],
            (Op::Or, args) => vec![self.any(&joined(args))],
            (Op::Implies, [a, b]) => vec![self.or(!a[0], b[0])],
            (Op::Eq, [a, b]) if !a.is_empty() => vec![self.same(a, b)],
            (Op::Ite, [c, a, b]) if !a.is_empty() => self.choose(c[0], a, b),
            (Op::BvAnd, [a, b]) => self.bitwise(a, b, Self::and),
            (Op::BvOr, [a, b]) => self.bitwise(a, b, Self::or),
            (Op::Xor | Op::BvXor, [a, b]) => self.bitwise(a, b, Self::xor),
            (Op::BvAdd, [a, b]) => self.add(a, b),
            (Op::BvSub, [a, b]) => self.subtract(a, b),
            (Op::BvNeg, [a]) => self.negate(a),
            (Op::BvMul, [a, b]) => self.multiply(a, b),
            (Op::BvUdiv, [a, b]) => self.divide(a, b).0,
            (Op::BvUrem, [a, b]) => self.divide(a, b).1,
            (Op::BvSdiv, [a, b]) => self.divide_signed(a, b).0,
            (Op::BvSrem, [a, b]) => self.divide_signed(a, b).1,
            (Op::BvShl, [a, b]) => self.shift_left(a, b),
            (Op::BvLshr, [a, b]) => {
                let no = self.constant(false);
                self.shift_right(a, b, no)
            }
            (Op::BvAshr, [a, b]) => self.shift_right(a, b, a[a.len() - 1]),
            (Op::BvUlt, [a, b]) => vec![self.less(a, b)],
            (Op::BvUle, [a, b]) => vec![!self.less(b, a)],
            (Op::BvSlt, [a, b]) => vec![self.less_signed(a, b)],
            (Op::BvSle, [a, b]) => vec![!self.less_signed(b, a)],
            (Op::Concat | Op::Pointer, [high, low]) => low.iter().chain(high.iter()).copied().collect(),
            (Op::PointerOffset, [a]) => a[..width].to_vec(),
            (Op::PointerObject, [a]) => a[a.len() - OBJECT..].to_vec(),
            (Op::Extract { high, low }, [a]) => a[*low as usize..=*high as usize].to_vec(),
            (Op::ZeroExtend(_), [a]) => extended(a, width, self.constant(false)),
            (Op::SignExtend(_), [a]) => extended(a, width, a[a.len() - 1]),
            _ => return None,
        })
    }

    /// The bits of a value, if it has bits.
    fn value(&self, value: &Value) -> Option<Vec<Self::Bit>> {
        Some(match value {
            Value::Bool(value) => vec![self.constant(*value)],
            Value::Bv(bv) => self.number(bv.width() as usize, bv.unsigned()),
            Value::Pointer { object, offset } => {
                let mut bits = self.number(offset.width() as usize, offset.unsigned());
                bits.extend(self.number(OBJECT, u128::from(*object)));
                bits
            }
            Value::Float(format, pattern) => self.number(format.width() as usize, *pattern),
            _ => return None,
        })
    }
}

impl<L: Logic> Circuits for L {}

fn joined<T: Copy>(parts: &[impl Deref<Target = [T]>]) -> Vec<T> {
    parts.iter().flat_map(|part| part.iter().copied()).collect()
}

fn extended<T: Copy>(bits: &[T], width: usize, with: T) -> Vec<T> {
    let mut bits = bits.to_vec();
    bits.resize(width, with);
    bits
}

/// The value that bits stand for, if values of the sort have bits.
pub fn decode(sort: Sort, bits: &[bool]) -> Option<Value> {
    let number = |bits: &[bool]| bits.iter().rev().fold(0u128, |number, bit| number << 1 | u128::from(*bit));
    Some(match sort.kind() {
        SortKind::Bool => Value::Bool(bits[0]),
        SortKind::BitVec(width) => Value::Bv(Bv::new(*width, number(bits))),
        SortKind::Pointer(width) => {
            let (offset, object) = bits.split_at(*width as usize);
            Value::Pointer { object: number(object) as u32, offset: Bv::new(*width, number(offset)) }
        }
        SortKind::Float(format) => Value::Float(*format, number(bits)),
        _ => return None,
    })
}
