//! Floats in Z3: constants, roundings, and conversions completed as [`term::Op`] says.
//!
//! Z3's formats all hide the integer bit. x87's format shows it in its bit pattern, so patterns are converted there.

use super::context::Ast;
use super::ops::{binary, ite, nary};
use super::translate::{Translated, Translator, as_sort, unsupported};
use term::{FloatFormat, Op, Rounding, Sort, SortKind, Term, Value};
use z3_sys::*;

/// The Z3 term for a float operator that is more than one call without rounding.
pub(super) fn apply(translator: &mut Translator, term: Term, args: &[Ast]) -> Translated {
    use Op::*;
    let c = translator.context().raw();
    let sort = translator.sort(term.sort())?;
    // SAFETY, for all calls here: the arguments belong to the context and their sorts fit.
    match (term.op(), args) {
        (FpAdd(by), [a, b]) => rounded(translator, Z3_mk_fpa_add, *by, a, b),
        (FpSub(by), [a, b]) => rounded(translator, Z3_mk_fpa_sub, *by, a, b),
        (FpMul(by), [a, b]) => rounded(translator, Z3_mk_fpa_mul, *by, a, b),
        (FpDiv(by), [a, b]) => rounded(translator, Z3_mk_fpa_div, *by, a, b),
        (FpFma(by), [x, y, z]) => {
            let mode = rounding(translator, *by)?;
            translator.own(unsafe { Z3_mk_fpa_fma(c, mode.raw(), x.raw(), y.raw(), z.raw()) })
        }
        (FpSqrt(by), [a]) => {
            let mode = rounding(translator, *by)?;
            binary(translator, Z3_mk_fpa_sqrt, &mode, a)
        }
        (FpRoundToIntegral(by), [a]) => {
            let mode = rounding(translator, *by)?;
            binary(translator, Z3_mk_fpa_round_to_integral, &mode, a)
        }
        (FpToFp(_, by), [a]) => {
            let mode = rounding(translator, *by)?;
            translator.own(unsafe { Z3_mk_fpa_to_fp_float(c, mode.raw(), a.raw(), as_sort(&sort)) })
        }
        (RealToFp(_, by), [a]) => {
            let mode = rounding(translator, *by)?;
            translator.own(unsafe { Z3_mk_fpa_to_fp_real(c, mode.raw(), a.raw(), as_sort(&sort)) })
        }
        (BvToFp { signed, rounding: by, .. }, [a]) => {
            let mode = rounding(translator, *by)?;
            let function = if *signed { Z3_mk_fpa_to_fp_signed } else { Z3_mk_fpa_to_fp_unsigned };
            translator.own(unsafe { function(c, mode.raw(), a.raw(), as_sort(&sort)) })
        }
        (FpToBv { width, signed, rounding: by }, [a]) => {
            to_bits_of_integer(translator, term.args()[0], a, *width, *signed, *by)
        }
        (FpFromBits(format), [a]) => {
            if *format == FloatFormat::EXTENDED {
                return from_shown_integer_bit(translator, a, &sort);
            }
            translator.own(unsafe { Z3_mk_fpa_to_fp_bv(c, a.raw(), as_sort(&sort)) })
        }
        (FpToBits, [a]) => pattern(translator, format_of(term.args()[0]), a),
        (FpToReal, [a]) => {
            let real = translator.own(unsafe { Z3_mk_fpa_to_real(c, a.raw()) })?;
            let zero = translator.constant(&Value::Real(dashu::rational::RBig::ZERO))?;
            let special = special(translator, a)?;
            ite(translator, &special, &zero, &real)
        }
        (op, _) => Err(unsupported(&format!("{op:?}"))),
    }
}

type Rounded = unsafe extern "C" fn(Z3_context, Z3_ast, Z3_ast, Z3_ast) -> Option<Z3_ast>;

fn rounded(translator: &mut Translator, function: Rounded, by: Rounding, a: &Ast, b: &Ast) -> Translated {
    let mode = rounding(translator, by)?;
    // SAFETY: the arguments belong to the context and their sorts fit.
    translator.own(unsafe { function(translator.context().raw(), mode.raw(), a.raw(), b.raw()) })
}

fn rounding(translator: &Translator, by: Rounding) -> Translated {
    let c = translator.context().raw();
    // SAFETY: the context is alive.
    translator.own(unsafe {
        match by {
            Rounding::NearestEven => Z3_mk_fpa_rne(c),
            Rounding::NearestAway => Z3_mk_fpa_rna(c),
            Rounding::TowardZero => Z3_mk_fpa_rtz(c),
            Rounding::TowardPositive => Z3_mk_fpa_rtp(c),
            Rounding::TowardNegative => Z3_mk_fpa_rtn(c),
        }
    })
}

fn format_of(term: Term) -> FloatFormat {
    match term.sort().kind() {
        SortKind::Float(format) => *format,
        kind => unreachable!("well-sorted terms have no {kind:?} here"),
    }
}

/// The float of a bit pattern.
pub(super) fn constant(translator: &mut Translator, format: FloatFormat, bits: u128) -> Translated {
    let c = translator.context().raw();
    if bits == term::float::nan(format) {
        let sort = translator.sort(Sort::float(format))?;
        // SAFETY: all objects belong to the context.
        return translator.own(unsafe { Z3_mk_fpa_nan(c, as_sort(&sort)) });
    }
    let fraction = format.significand - 1;
    let upper = bits >> (format.width() - 1 - format.exponent);
    let mut part = |width: u32, bits: u128| translator.constant(&Value::bv(width, bits));
    let (sign, exponent) = (part(1, upper >> format.exponent)?, part(format.exponent, upper)?);
    let significand = part(fraction, bits)?;
    // SAFETY: all objects belong to the context.
    translator.own(unsafe { Z3_mk_fpa_fp(c, sign.raw(), exponent.raw(), significand.raw()) })
}

/// Whether the float is infinite or NaN.
fn special(translator: &Translator, a: &Ast) -> Translated {
    let c = translator.context().raw();
    // SAFETY: the argument belongs to the context.
    let nan = translator.own(unsafe { Z3_mk_fpa_is_nan(c, a.raw()) })?;
    // SAFETY: as above.
    let infinite = translator.own(unsafe { Z3_mk_fpa_is_infinite(c, a.raw()) })?;
    nary(translator, Z3_mk_or, &[nan, infinite])
}

/// The bit pattern of a float; NaN gives the one pattern that values keep.
pub(super) fn pattern(translator: &mut Translator, format: FloatFormat, a: &Ast) -> Translated {
    let c = translator.context().raw();
    // SAFETY: the argument belongs to the context.
    let mut bits = translator.own(unsafe { Z3_mk_fpa_to_ieee_bv(c, a.raw()) })?;
    if format == FloatFormat::EXTENDED {
        bits = show_integer_bit(translator, &bits)?;
    }
    // SAFETY: as above.
    let is_nan = translator.own(unsafe { Z3_mk_fpa_is_nan(c, a.raw()) })?;
    let nan = translator.constant(&Value::bv(format.width(), term::float::nan(format)))?;
    ite(translator, &is_nan, &nan, &bits)
}

fn extract(translator: &Translator, high: u32, low: u32, a: &Ast) -> Translated {
    // SAFETY: the argument belongs to the context and is wide enough.
    translator.own(unsafe { Z3_mk_extract(translator.context().raw(), high, low, a.raw()) })
}

/// The float of x87's 80 bits. If the integer bit is clear under an exponent other than zero, they are none: NaN. If
/// it is set under exponent zero, they are the same as under exponent one.
fn from_shown_integer_bit(translator: &mut Translator, a: &Ast, sort: &Ast) -> Translated {
    let c = translator.context().raw();
    let (sign, exponent) = (extract(translator, 79, 79, a)?, extract(translator, 78, 64, a)?);
    let (integer, fraction) = (extract(translator, 63, 63, a)?, extract(translator, 62, 0, a)?);
    let zero = translator.constant(&Value::bv(15, 0))?;
    let clear = translator.constant(&Value::bv(1, 0))?;
    let least = binary(translator, Z3_mk_eq, &exponent, &zero)?;
    let hidden = binary(translator, Z3_mk_eq, &integer, &clear)?;
    // SAFETY, for all calls here: the arguments belong to the context and their sorts fit.
    let lifted = translator.own(unsafe { Z3_mk_zero_ext(c, 14, integer.raw()) })?;
    let exponent = ite(translator, &least, &lifted, &exponent)?;
    let upper = binary(translator, Z3_mk_concat, &sign, &exponent)?;
    let bits = binary(translator, Z3_mk_concat, &upper, &fraction)?;
    let float = translator.own(unsafe { Z3_mk_fpa_to_fp_bv(c, bits.raw(), as_sort(sort)) })?;
    let nan = translator.own(unsafe { Z3_mk_fpa_nan(c, as_sort(sort)) })?;
    let normal = translator.own(unsafe { Z3_mk_not(c, least.raw()) })?;
    let none = nary(translator, Z3_mk_and, &[normal, hidden])?;
    ite(translator, &none, &nan, &float)
}

/// x87's 80 bits from 79 without the integer bit, which is set unless the exponent is zero.
fn show_integer_bit(translator: &mut Translator, a: &Ast) -> Translated {
    let (upper, fraction) = (extract(translator, 78, 63, a)?, extract(translator, 62, 0, a)?);
    let exponent = extract(translator, 77, 63, a)?;
    let zero = translator.constant(&Value::bv(15, 0))?;
    let (clear, set) = (translator.constant(&Value::bv(1, 0))?, translator.constant(&Value::bv(1, 1))?);
    let subnormal = binary(translator, Z3_mk_eq, &exponent, &zero)?;
    let integer = ite(translator, &subnormal, &clear, &set)?;
    let lower = binary(translator, Z3_mk_concat, &integer, &fraction)?;
    binary(translator, Z3_mk_concat, &upper, &lower)
}

/// A float to an integer in a bit-vector. What does not fit after rounding, and NaN, gives 10...0.
fn to_bits_of_integer(
    translator: &mut Translator,
    float: Term,
    a: &Ast,
    width: u32,
    signed: bool,
    by: Rounding,
) -> Translated {
    let c = translator.context().raw();
    let (format, a) = roomy(translator, format_of(float), a)?;
    let a = &a;
    let mode = rounding(translator, by)?;
    let integral = binary(translator, Z3_mk_fpa_round_to_integral, &mode, a)?;
    let mut fits = Vec::new();
    // SAFETY, for all calls here: the arguments belong to the context and their sorts fit.
    let special = special(translator, a)?;
    fits.push(translator.own(unsafe { Z3_mk_not(c, special.raw()) })?);
    // Bounds that the format cannot express are kept by each of its finite numbers.
    let magnitude = if signed { width - 1 } else { width };
    if let Some(above) = power_of_two(translator, format, magnitude, false)? {
        fits.push(binary(translator, Z3_mk_fpa_lt, &integral, &above)?);
    }
    let least = if signed {
        power_of_two(translator, format, magnitude, true)?
    } else {
        Some(constant(translator, format, term::float::zero(format, false))?)
    };
    if let Some(least) = least {
        fits.push(binary(translator, Z3_mk_fpa_leq, &least, &integral)?);
    }
    let fits = nary(translator, Z3_mk_and, &fits)?;
    let function = if signed { Z3_mk_fpa_to_sbv } else { Z3_mk_fpa_to_ubv };
    let converted = translator.own(unsafe { function(c, mode.raw(), integral.raw(), width) })?;
    let misfit = translator.constant(&Value::bv(width, 1 << (width - 1)))?;
    ite(translator, &fits, &converted, &misfit)
}

/// The same float in a format whose greatest numbers are integers, so that rounding to an integer never leaves it. All
/// formats of C are such already.
fn roomy(translator: &mut Translator, format: FloatFormat, a: &Ast) -> Result<(FloatFormat, Ast), crate::Unsupported> {
    let greatest_exponent = |exponent: u32| (1u64 << (exponent - 1)) - 1;
    let mut wide = format;
    while greatest_exponent(wide.exponent) <= u64::from(format.significand) {
        wide.exponent += 1;
    }
    if wide == format {
        return Ok((format, a.clone()));
    }
    let sort = translator.sort(Sort::float(wide))?;
    let mode = rounding(translator, Rounding::NearestEven)?;
    // SAFETY: the arguments belong to the context and their sorts fit.
    let widened = unsafe { Z3_mk_fpa_to_fp_float(translator.context().raw(), mode.raw(), a.raw(), as_sort(&sort)) };
    Ok((wide, translator.own(widened)?))
}

/// Two to the power as a float, possibly negated, if the format reaches it.
fn power_of_two(
    translator: &mut Translator,
    format: FloatFormat,
    power: u32,
    negative: bool,
) -> Result<Option<Ast>, crate::Unsupported> {
    let bias = (1u128 << (format.exponent - 1)) - 1;
    if u128::from(power) > bias {
        return Ok(None);
    }
    let exponent = (bias + u128::from(power)) | u128::from(negative) << format.exponent;
    // x87's pattern shows the integer bit of a normal number.
    let integer = u128::from(format == FloatFormat::EXTENDED);
    let below = format.width() - 1 - format.exponent;
    let bits = exponent << below | integer << (below - 1);
    constant(translator, format, bits).map(Some)
}
