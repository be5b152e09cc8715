//! IEEE 754 floats on raw bit patterns.

use crate::FloatFormat;

/// The one NaN of a format: positive, quiet, with no payload.
pub fn nan(format: FloatFormat) -> u128 {
    let exponent = ((1u128 << format.exponent) - 1) << (format.significand - 1);
    from_hidden(format, exponent | 1 << (format.significand - 2))
}

/// Zero of either sign.
pub fn zero(format: FloatFormat, negative: bool) -> u128 {
    u128::from(negative) << (format.width() - 1)
}

/// One.
pub fn one(format: FloatFormat) -> u128 {
    let bias = (1u128 << (format.exponent - 1)) - 1;
    from_hidden(format, bias << (format.significand - 1))
}

/// The bit pattern of a format, from the one with the integer bit hidden, as all formats but x87's have it in memory.
pub(crate) fn from_hidden(format: FloatFormat, bits: u128) -> u128 {
    if format != FloatFormat::EXTENDED {
        return bits;
    }
    let fraction = bits & ((1 << 63) - 1);
    let upper = bits >> 63;
    let integer = u128::from(upper & 0x7fff != 0);
    upper << 64 | integer << 63 | fraction
}

/// The bit pattern that stands for the same float: of NaNs, and of x87's patterns that are none, the one NaN.
pub fn canonical(format: FloatFormat, bits: u128) -> u128 {
    let fraction_bits = format.significand - 1;
    let fraction = bits & ((1 << fraction_bits) - 1);
    let above = bits >> fraction_bits;
    if format != FloatFormat::EXTENDED {
        let special = (1u128 << format.exponent) - 1;
        return if above & special == special && fraction != 0 { nan(format) } else { bits };
    }
    let (integer, exponent) = (above & 1, (above >> 1) & 0x7fff);
    match (exponent, integer) {
        (0, 0) => bits,
        // A pseudo-denormal has the value of the least normal exponent.
        (0, _) => bits | 1 << 64,
        (_, 0) => nan(format),
        (0x7fff, _) if fraction != 0 => nan(format),
        _ => bits,
    }
}
