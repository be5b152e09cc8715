//! Machine arithmetic as circuits. A vector is a slice of literals, the lowest bit first.

use super::gates::Gates;
use crate::sat::Lit;
use std::rc::Rc;

/// The bits of a value, the lowest first.
pub type Bits = Vec<Lit>;
/// Bits that are kept, and shared.
pub type Kept = Rc<[Lit]>;

impl Gates {
    pub fn number(&self, width: usize, value: u128) -> Bits {
        (0..width).map(|bit| self.constant(bit < 128 && value >> bit & 1 == 1)).collect()
    }

    pub fn fresh_bits(&mut self, width: usize) -> Bits {
        (0..width).map(|_| self.sat.fresh()).collect()
    }

    pub fn complement(&self, a: &[Lit]) -> Bits {
        a.iter().map(|bit| !*bit).collect()
    }

    pub fn bitwise(&mut self, a: &[Lit], b: &[Lit], gate: fn(&mut Gates, Lit, Lit) -> Lit) -> Bits {
        a.iter().zip(b).map(|(a, b)| gate(self, *a, *b)).collect()
    }

    /// Chooses between two vectors.
    pub fn choose(&mut self, condition: Lit, a: &[Lit], b: &[Lit]) -> Bits {
        a.iter().zip(b).map(|(a, b)| self.ite(condition, *a, *b)).collect()
    }

    pub fn same(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
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

    /// a + b + carry.
    pub fn sum(&mut self, a: &[Lit], b: &[Lit], mut carry: Lit) -> Bits {
        let mut sum = Vec::with_capacity(a.len());
        for (&a, &b) in a.iter().zip(b) {
            let half = self.xor(a, b);
            sum.push(self.xor(half, carry));
            carry = self.majority(a, b, carry);
        }
        sum
    }

    pub fn add(&mut self, a: &[Lit], b: &[Lit]) -> Bits {
        let carry = self.constant(false);
        self.sum(a, b, carry)
    }

    pub fn subtract(&mut self, a: &[Lit], b: &[Lit]) -> Bits {
        let carry = self.constant(true);
        self.sum(a, &self.complement(b), carry)
    }

    pub fn negate(&mut self, a: &[Lit]) -> Bits {
        let zero = self.number(a.len(), 0);
        self.subtract(&zero, a)
    }

    /// -a if the condition holds, else a.
    fn negate_if(&mut self, condition: Lit, a: &[Lit]) -> Bits {
        let negated = self.negate(a);
        self.choose(condition, &negated, a)
    }

    pub fn multiply(&mut self, a: &[Lit], b: &[Lit]) -> Bits {
        // Each bit of the second factor costs an adder, unless it is known to be zero.
        let known = |gates: &Gates, factor: &[Lit]| factor.iter().filter(|l| gates.known(**l).is_some()).count();
        let (a, b) = if known(self, a) > known(self, b) { (b, a) } else { (a, b) };
        let width = a.len();
        let mut product = self.number(width, 0);
        for (shift, &bit) in b.iter().enumerate() {
            if self.known(bit) == Some(false) {
                continue;
            }
            let row: Bits = a[..width - shift].iter().map(|a| self.and(*a, bit)).collect();
            let high = self.add(&product[shift..], &row);
            product.truncate(shift);
            product.extend(high);
        }
        product
    }

    /// Quotient and remainder. Division by zero gives all ones and the dividend, as SMT-LIB has it.
    pub fn divide(&mut self, a: &[Lit], b: &[Lit]) -> (Bits, Bits) {
        let width = a.len();
        let no = self.constant(false);
        // Long division. The remainder stays below the divisor, so one bit more holds it when it is doubled; where the divisor
        // is zero, it is the dividend's highest bits and loses nothing either.
        let divisor: Bits = b.iter().copied().chain([no]).collect();
        let mut remainder = self.number(width + 1, 0);
        let mut quotient = vec![no; width];
        for bit in (0..width).rev() {
            remainder.pop();
            remainder.insert(0, a[bit]);
            let fits = !self.less(&remainder, &divisor);
            let less = self.subtract(&remainder, &divisor);
            remainder = self.choose(fits, &less, &remainder);
            quotient[bit] = fits;
        }
        remainder.pop();
        (quotient, remainder)
    }

    /// Signed quotient and remainder, rounded toward zero.
    pub fn divide_signed(&mut self, a: &[Lit], b: &[Lit]) -> (Bits, Bits) {
        let (a_sign, b_sign) = (a[a.len() - 1], b[b.len() - 1]);
        let (a, b) = (self.negate_if(a_sign, a), self.negate_if(b_sign, b));
        let (quotient, remainder) = self.divide(&a, &b);
        let differ = self.xor(a_sign, b_sign);
        (self.negate_if(differ, &quotient), self.negate_if(a_sign, &remainder))
    }

    /// a < b, unsigned.
    pub fn less(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let mut less = self.constant(false);
        for (&a, &b) in a.iter().zip(b) {
            let differ = self.xor(a, b);
            less = self.ite(differ, b, less);
        }
        less
    }

    pub fn less_signed(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let flip = |bits: &[Lit]| -> Bits {
            let mut bits = bits.to_vec();
            if let Some(sign) = bits.last_mut() {
                *sign = !*sign;
            }
            bits
        };
        self.less(&flip(a), &flip(b))
    }

    /// `a` moved by a distance; what comes in is `fill`, and all of it where the distance exceeds the width.
    fn shift(&mut self, a: &[Lit], distance: &[Lit], fill: Lit, moved: impl Fn(usize, usize) -> Option<usize>) -> Bits {
        let width = a.len();
        let mut result = a.to_vec();
        let mut too_far = Vec::new();
        for (power, &bit) in distance.iter().enumerate() {
            let Some(step) = 1usize.checked_shl(power as u32).filter(|step| *step < width) else {
                too_far.push(bit);
                continue;
            };
            let far: Bits = (0..width).map(|to| moved(to, step).map_or(fill, |from| result[from])).collect();
            result = self.choose(bit, &far, &result);
        }
        let too_far = self.any(&too_far);
        result.into_iter().map(|bit| self.ite(too_far, fill, bit)).collect()
    }

    pub fn shift_left(&mut self, a: &[Lit], distance: &[Lit]) -> Bits {
        let no = self.constant(false);
        self.shift(a, distance, no, |to, step| to.checked_sub(step))
    }

    /// To the right; `fill` comes in from above.
    pub fn shift_right(&mut self, a: &[Lit], distance: &[Lit], fill: Lit) -> Bits {
        let width = a.len();
        self.shift(a, distance, fill, |to, step| Some(to + step).filter(|from| *from < width))
    }
}
