//! Bits of bit-vectors that are known whatever the variables are, and what they decide.

use crate::{Op, Term, bits, build};
use rustc_hash::FxHashMap;

/// The bits that are surely zero, and those that are surely one. Bits above the width are in neither.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Known {
    pub width: u32,
    pub zeros: u128,
    pub ones: u128,
}

impl Known {
    fn nothing(width: u32) -> Known {
        Known { width, zeros: 0, ones: 0 }
    }

    fn constant(width: u32, value: u128) -> Known {
        Known { width, zeros: bits::not(width, value), ones: value }
    }

    /// The least unsigned number that it can be.
    fn least(self) -> u128 {
        self.ones
    }

    /// The greatest unsigned number that it can be.
    fn greatest(self) -> u128 {
        bits::not(self.width, self.zeros)
    }

    /// At most `greatest`: the bits above its leading one are zero.
    fn at_most(width: u32, greatest: u128) -> Known {
        let below = if greatest == 0 { 0 } else { u128::MAX >> greatest.leading_zeros() };
        Known { width, zeros: bits::mask(width) & !below, ones: 0 }
    }

    fn nonnegative(self) -> bool {
        self.zeros & bits::signed_min(self.width) != 0
    }

    fn complement(self) -> Known {
        Known { zeros: self.ones, ones: self.zeros, ..self }
    }

    /// What both say.
    fn common(self, other: Known) -> Known {
        Known { zeros: self.zeros & other.zeros, ones: self.ones & other.ones, ..self }
    }

    /// What is known of a sum, with a carry into it.
    fn sum(self, other: Known, carry: bool) -> Known {
        let w = self.width;
        let carry = u128::from(carry);
        let most = self.greatest().wrapping_add(other.greatest()).wrapping_add(carry);
        let least = self.least().wrapping_add(other.least()).wrapping_add(carry);
        // Where both operands' bits are known, the carry into a place is known if the greatest and the least sum agree
        // on it.
        let carry_zero = !(most ^ self.greatest() ^ other.greatest());
        let carry_one = least ^ self.least() ^ other.least();
        let known = (self.zeros | self.ones) & (other.zeros | other.ones) & (carry_zero | carry_one) & bits::mask(w);
        Known { width: w, zeros: known & !least, ones: known & least }
    }

    fn trailing_zeros(self) -> u32 {
        (!self.zeros).trailing_zeros().min(self.width)
    }
}

/// What is known of a term, given what is known of its arguments. `None` if it is no bit-vector.
pub(super) fn known(term: Term, memo: &FxHashMap<Term, Known>) -> Option<Known> {
    let w = term.sort().bv_width()?;
    let of = |n: usize| {
        let argument = term.args()[n];
        look_up(argument, memo).unwrap_or(Known::nothing(argument.sort().bv_width().unwrap_or(w)))
    };
    let amount = |n: usize| term.args()[n].as_bv().map(|k| k.unsigned()).filter(|k| *k < u128::from(w));
    let mask = bits::mask(w);
    Some(match term.op() {
        Op::Const(_) => Known::constant(w, term.as_bv()?.unsigned()),
        Op::BvNot => of(0).complement(),
        Op::BvAnd => Known { width: w, zeros: of(0).zeros | of(1).zeros, ones: of(0).ones & of(1).ones },
        Op::BvOr => Known { width: w, zeros: of(0).zeros & of(1).zeros, ones: of(0).ones | of(1).ones },
        Op::BvXor => {
            let (a, b) = (of(0), of(1));
            Known {
                width: w,
                zeros: (a.zeros & b.zeros) | (a.ones & b.ones),
                ones: (a.zeros & b.ones) | (a.ones & b.zeros),
            }
        }
        Op::BvAdd => of(0).sum(of(1), false),
        Op::BvSub => of(0).sum(of(1).complement(), true),
        Op::BvNeg => Known::constant(w, 0).sum(of(0).complement(), true),
        Op::BvMul => product(of(0), of(1)),
        Op::BvUdiv if of(1).least() != 0 => Known::at_most(w, of(0).greatest() / of(1).least()),
        Op::BvUrem if of(1).least() != 0 => Known::at_most(w, of(0).greatest().min(of(1).greatest() - 1)),
        Op::BvUrem => Known::at_most(w, of(0).greatest()),
        Op::BvShl => match amount(1) {
            Some(k) => {
                Known { width: w, zeros: (of(0).zeros << k | ((1 << k) - 1)) & mask, ones: (of(0).ones << k) & mask }
            }
            None => Known { width: w, zeros: bits::mask_up_to(of(0).trailing_zeros()), ones: 0 },
        },
        Op::BvLshr => match amount(1) {
            Some(k) => Known { width: w, zeros: of(0).zeros >> k | (mask & !(mask >> k)), ones: of(0).ones >> k },
            None => Known::at_most(w, of(0).greatest()),
        },
        Op::Concat => {
            let (high, low) = (of(0), of(1));
            Known { width: w, zeros: high.zeros << low.width | low.zeros, ones: high.ones << low.width | low.ones }
        }
        Op::Extract { high, low } => {
            let a = of(0);
            Known { width: w, zeros: bits::extract(*high, *low, a.zeros), ones: bits::extract(*high, *low, a.ones) }
        }
        Op::ZeroExtend(_) => {
            let a = of(0);
            Known { width: w, zeros: a.zeros | (mask & !bits::mask(a.width)), ones: a.ones }
        }
        Op::SignExtend(_) => {
            let a = of(0);
            Known {
                width: w,
                zeros: bits::sign_extend(a.width, w, a.zeros),
                ones: bits::sign_extend(a.width, w, a.ones),
            }
        }
        Op::Ite => of(1).common(of(2)),
        _ => Known::nothing(w),
    })
}

fn product(a: Known, b: Known) -> Known {
    let w = a.width;
    let low = bits::mask_up_to((a.trailing_zeros() + b.trailing_zeros()).min(w));
    let high = match a.greatest().checked_mul(b.greatest()) {
        Some(most) if most <= bits::mask(w) => Known::at_most(w, most).zeros,
        _ => 0,
    };
    Known { width: w, zeros: low | high, ones: 0 }
}

/// What is known of a term that was looked at before, or is a constant.
fn look_up(term: Term, memo: &FxHashMap<Term, Known>) -> Option<Known> {
    match term.as_bv() {
        Some(constant) => Some(Known::constant(constant.width(), constant.unsigned())),
        None => memo.get(&term).copied(),
    }
}

/// What the known bits decide about a bit-vector, a comparison or an equality.
pub(super) fn decided(term: Term, memo: &FxHashMap<Term, Known>) -> Option<Term> {
    if let Some(all) = known(term, memo)
        && (all.zeros | all.ones) == bits::mask(all.width)
        && term.value().is_none()
    {
        return Some(build::bv(all.width, all.ones));
    }
    let args = term.args();
    let of = |n: usize| {
        let width = args[n].sort().bv_width()?;
        Some(look_up(args[n], memo).unwrap_or(Known::nothing(width)))
    };
    let again = |op: &Op| Some(build::make(op, args));
    match term.op() {
        Op::Eq => {
            let (a, b) = (of(0)?, of(1)?);
            ((a.ones & b.zeros) | (a.zeros & b.ones) != 0).then(build::falsehood)
        }
        // A mask that only drops zeros, or only sets ones.
        Op::BvAnd if of(0)?.greatest() & !args[1].as_bv()?.unsigned() == 0 => Some(args[0]),
        Op::BvOr if args[1].as_bv()?.unsigned() & !of(0)?.ones == 0 => Some(args[0]),
        Op::BvUlt | Op::BvUle => ordered(term, of(0)?, of(1)?),
        Op::BvSlt | Op::BvSle => {
            let unsigned = if *term.op() == Op::BvSlt { Op::BvUlt } else { Op::BvUle };
            let (a, b) = (of(0)?, of(1)?);
            let sign = bits::signed_min(a.width);
            if (a.zeros & b.zeros) & sign != 0 || (a.ones & b.ones) & sign != 0 {
                again(&unsigned)
            } else if a.ones & b.zeros & sign != 0 {
                Some(build::truth())
            } else if a.zeros & b.ones & sign != 0 {
                Some(build::falsehood())
            } else {
                None
            }
        }
        Op::SignExtend(to) if of(0)?.nonnegative() => Some(build::zero_extend(*to, args[0])),
        Op::BvAshr if of(0)?.nonnegative() => again(&Op::BvLshr),
        Op::BvSdiv if of(0)?.nonnegative() && of(1)?.nonnegative() => again(&Op::BvUdiv),
        Op::BvSrem if of(0)?.nonnegative() && of(1)?.nonnegative() => again(&Op::BvUrem),
        Op::BvUrem if of(0)?.greatest() < of(1)?.least() => Some(args[0]),
        _ => None,
    }
}

/// An unsigned comparison that the bounds decide.
fn ordered(term: Term, a: Known, b: Known) -> Option<Term> {
    let strict = *term.op() == Op::BvUlt;
    if a.greatest() < b.least() || (!strict && a.greatest() == b.least()) {
        Some(build::truth())
    } else if a.least() > b.greatest() || (strict && a.least() == b.greatest()) {
        Some(build::falsehood())
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WIDTH: u32 = 3;

    /// Every pattern of known and unknown bits.
    fn patterns() -> impl Iterator<Item = Known> {
        let all = 0..1u128 << WIDTH;
        all.clone()
            .flat_map(move |zeros| all.clone().map(move |ones| Known { width: WIDTH, zeros, ones }))
            .filter(|known| known.zeros & known.ones == 0)
    }

    fn values(known: Known) -> impl Iterator<Item = u128> {
        (0..1u128 << WIDTH).filter(move |a| a & known.zeros == 0 && a & known.ones == known.ones)
    }

    /// What is known of the results is true of all of them, and of sums and differences it is all there is to know.
    #[track_caller]
    fn check(result: Known, all: impl Iterator<Item = u128>, exact: bool) {
        let (mut zeros, mut ones) = (bits::mask(WIDTH), bits::mask(WIDTH));
        for value in all {
            zeros &= !value;
            ones &= value;
        }
        assert_eq!((result.zeros & !zeros, result.ones & !ones), (0, 0), "{result:?}");
        assert!(!exact || (result.zeros, result.ones) == (zeros, ones), "{result:?} is not all: {zeros:b} {ones:b}");
    }

    #[test]
    fn known_bits_are_right() {
        for a in patterns() {
            for b in patterns() {
                let of_pairs = |f: fn(u32, u128, u128) -> u128| {
                    values(a).flat_map(move |x| values(b).map(move |y| f(WIDTH, x, y)))
                };
                check(a.sum(b, false), of_pairs(bits::add), true);
                check(a.sum(b.complement(), true), of_pairs(bits::sub), true);
                check(product(a, b), of_pairs(bits::mul), false);
                check(a.common(b), values(a).chain(values(b)), true);
                check(Known::at_most(WIDTH, a.greatest()), values(a), false);
            }
        }
    }
}
