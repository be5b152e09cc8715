//! Values as C reads them again, with all their bits.

use crate::harness::type_of;
use term::{FloatFormat, Value};

/// A value as an initialiser of a variable of the type.
pub(crate) fn literal(value: &Value, ty: &str) -> String {
    match value {
        Value::Bool(truth) => u8::from(*truth).to_string(),
        Value::Bv(bits) if ty.contains("unsigned") || ty == "_Bool" => format!("{}ULL", bits.unsigned()),
        // The least number has no literal of its own.
        Value::Bv(bits) if bits.signed() == i128::from(i64::MIN) => format!("{}LL - 1", i64::MIN + 1),
        Value::Bv(bits) => format!("{}LL", bits.signed()),
        Value::Float(FloatFormat::SINGLE, bits) => float(f32::from_bits(*bits as u32).into()),
        Value::Float(FloatFormat::DOUBLE, bits) => float(f64::from_bits(*bits as u64)),
        Value::Pointer { object: 0, offset } => format!("({ty}){:#x}", offset.unsigned()),
        // What else there is cannot be made from outside.
        _ => "0".to_string(),
    }
}

fn float(number: f64) -> String {
    match (number.is_nan(), number.is_infinite(), number < 0.0) {
        (true, ..) => "__builtin_nan(\"\")".to_string(),
        (_, true, true) => "-__builtin_inf()".to_string(),
        (_, true, false) => "__builtin_inf()".to_string(),
        _ => format!("{number:?}"),
    }
}

/// A value that a function returned, as a number in an expression; nothing for what is no integer.
pub(crate) fn result_of(value: &Value, function: &str) -> Option<String> {
    let unsigned = type_of(function).is_some_and(|ty| ty.contains("unsigned") || ty == "_Bool");
    match value {
        Value::Bool(truth) => Some(u8::from(*truth).to_string()),
        Value::Bv(bits) if unsigned && bits.unsigned() > i64::MAX as u128 => Some(format!("{}ULL", bits.unsigned())),
        Value::Bv(bits) if unsigned => Some(bits.unsigned().to_string()),
        Value::Bv(bits) if bits.signed() == i128::from(i64::MIN) => Some(format!("({} - 1)", i64::MIN + 1)),
        Value::Bv(bits) => Some(bits.signed().to_string()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_their_bits() {
        let least = Value::bv(64, 1 << 63);
        assert_eq!(literal(&least, "long long"), "-9223372036854775807LL - 1");
        assert_eq!(literal(&least, "unsigned long long"), "9223372036854775808ULL");
        assert_eq!(literal(&Value::bv(32, 0xffff_ffff), "int"), "-1LL");
        assert_eq!(literal(&Value::Float(FloatFormat::DOUBLE, f64::to_bits(0.1).into()), "double"), "0.1");
        assert_eq!(result_of(&Value::bv(32, 0xffff_ffff), "__VERIFIER_nondet_uint").as_deref(), Some("4294967295"));
        assert_eq!(result_of(&Value::bv(32, 0xffff_ffff), "__VERIFIER_nondet_int").as_deref(), Some("-1"));
    }
}
