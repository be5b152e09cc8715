//! Bit-vector operations on raw bits, for evaluation and interpretation.
//!
//! Every function takes the width (1 to 128) and operands whose bits above the width are zero, and gives a result of
//! the same kind. Meanings are SMT-LIB's: division by zero gives all ones (signed: -1 or 1 by the dividend's sign), the
//! remainder by zero is the dividend, shifting by the width or more shifts everything out.

/// All ones.
#[inline]
pub fn mask(width: u32) -> u128 {
    u128::MAX >> (128 - width)
}

/// So many ones, from none to 128.
#[inline]
pub fn mask_up_to(count: u32) -> u128 {
    if count == 0 { 0 } else { mask(count) }
}

/// The low `width` bits.
#[inline]
pub fn truncate(width: u32, a: u128) -> u128 {
    a & mask(width)
}

/// The number that the bits stand for in two's complement.
#[inline]
pub fn signed(width: u32, a: u128) -> i128 {
    let shift = 128 - width;
    ((a << shift) as i128) >> shift
}

/// The least signed number: 10...0.
#[inline]
pub fn signed_min(width: u32) -> u128 {
    1 << (width - 1)
}

/// The greatest signed number: 01...1.
#[inline]
pub fn signed_max(width: u32) -> u128 {
    mask(width) >> 1
}

#[inline]
pub fn add(width: u32, a: u128, b: u128) -> u128 {
    truncate(width, a.wrapping_add(b))
}

#[inline]
pub fn sub(width: u32, a: u128, b: u128) -> u128 {
    truncate(width, a.wrapping_sub(b))
}

#[inline]
pub fn mul(width: u32, a: u128, b: u128) -> u128 {
    truncate(width, a.wrapping_mul(b))
}

#[inline]
pub fn neg(width: u32, a: u128) -> u128 {
    truncate(width, a.wrapping_neg())
}

#[inline]
pub fn not(width: u32, a: u128) -> u128 {
    !a & mask(width)
}

#[inline]
pub fn udiv(width: u32, a: u128, b: u128) -> u128 {
    a.checked_div(b).unwrap_or(mask(width))
}

#[inline]
pub fn urem(_width: u32, a: u128, b: u128) -> u128 {
    a.checked_rem(b).unwrap_or(a)
}

/// Rounds towards zero; the least number divided by -1 is itself.
#[inline]
pub fn sdiv(width: u32, a: u128, b: u128) -> u128 {
    let (x, y) = (signed(width, a), signed(width, b));
    let quotient = match y {
        0 if x < 0 => 1,
        0 => -1,
        _ => x.wrapping_div(y),
    };
    truncate(width, quotient as u128)
}

/// The sign follows the dividend.
#[inline]
pub fn srem(width: u32, a: u128, b: u128) -> u128 {
    let (x, y) = (signed(width, a), signed(width, b));
    let remainder = if y == 0 { x } else { x.wrapping_rem(y) };
    truncate(width, remainder as u128)
}

#[inline]
pub fn shl(width: u32, a: u128, b: u128) -> u128 {
    if b >= u128::from(width) { 0 } else { truncate(width, a << b) }
}

#[inline]
pub fn lshr(width: u32, a: u128, b: u128) -> u128 {
    if b >= u128::from(width) { 0 } else { a >> b }
}

#[inline]
pub fn ashr(width: u32, a: u128, b: u128) -> u128 {
    let by = b.min(u128::from(width - 1));
    truncate(width, (signed(width, a) >> by) as u128)
}

#[inline]
pub fn slt(width: u32, a: u128, b: u128) -> bool {
    signed(width, a) < signed(width, b)
}

#[inline]
pub fn sle(width: u32, a: u128, b: u128) -> bool {
    signed(width, a) <= signed(width, b)
}

/// Bits `high` down to `low`.
#[inline]
pub fn extract(high: u32, low: u32, a: u128) -> u128 {
    truncate(high - low + 1, a >> low)
}

/// `high` above `low`, which has `low_width` bits. The two widths add up to at most 128.
#[inline]
pub fn concat(low_width: u32, high: u128, low: u128) -> u128 {
    (high << low_width) | low
}

/// From `width` to the greater or equal `to`.
#[inline]
pub fn sign_extend(width: u32, to: u32, a: u128) -> u128 {
    truncate(to, signed(width, a) as u128)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the operations at a small width against their definitions on integers, for all operands.
    #[test]
    fn small_widths_follow_the_definitions() {
        for width in 1..=5 {
            let modulus = 1i128 << width;
            let wrap = |x: i128| x.rem_euclid(modulus) as u128;
            for a in 0..modulus as u128 {
                for b in 0..modulus as u128 {
                    let (x, y) = (a as i128, b as i128);
                    let (sx, sy) = (signed(width, a), signed(width, b));
                    assert_eq!(sx, if 2 * x >= modulus { x - modulus } else { x });
                    assert_eq!(add(width, a, b), wrap(x + y));
                    assert_eq!(sub(width, a, b), wrap(x - y));
                    assert_eq!(mul(width, a, b), wrap(x * y));
                    assert_eq!(udiv(width, a, b), a.checked_div(b).unwrap_or(mask(width)));
                    assert_eq!(urem(width, a, b), a.checked_rem(b).unwrap_or(a));
                    let quotient = match sy {
                        0 if sx < 0 => 1,
                        0 => -1,
                        _ => sx / sy,
                    };
                    assert_eq!(sdiv(width, a, b), wrap(quotient));
                    assert_eq!(srem(width, a, b), wrap(if sy == 0 { sx } else { sx - sy * (sx / sy) }));
                    let power = 1i128 << y.min(20);
                    assert_eq!(shl(width, a, b), wrap(x * power));
                    assert_eq!(lshr(width, a, b), wrap(x / power));
                    assert_eq!(ashr(width, a, b), wrap(sx.div_euclid(power)));
                    assert_eq!(sign_extend(width, width + 3, a), truncate(width + 3, sx as u128));
                }
            }
        }
    }

    #[test]
    fn the_widest_vectors_do_not_overflow() {
        let least = signed_min(128);
        assert_eq!(sdiv(128, least, u128::MAX), least);
        assert_eq!(srem(128, least, u128::MAX), 0);
        assert_eq!(shl(128, 1, 128), 0);
        assert_eq!(ashr(128, least, u128::MAX), u128::MAX);
        assert_eq!(mul(128, u128::MAX, u128::MAX), 1);
        assert_eq!(extract(127, 127, least), 1);
    }
}
