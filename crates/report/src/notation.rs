//! How verdicts, values and places are written, in every format alike. Values look as C writes them.

use driver::report::{Change, Objects, Outcome, Report};
use source::{Place, Symbol};
use term::{Bv, FloatFormat, Value};

/// The last line of every check.
pub fn verdict(report: &Report) -> String {
    match &report.outcome {
        Outcome::Holds(_) => "Verdict: TRUE".to_string(),
        Outcome::Violated(violation) => format!("Verdict: FALSE({})", violation.property),
        Outcome::Unknown(reason) => {
            // The verdict is one line, whatever the reason quotes.
            let reason: Vec<String> = reason.to_string().split_whitespace().map(str::to_string).collect();
            format!("Verdict: UNKNOWN({})", reason.join(" "))
        }
    }
}

/// `file:line`.
pub(crate) fn short_place(place: Place) -> String {
    format!("{}:{}", place.file, place.line)
}

/// `name = value`, or the value alone where there is no name.
pub(crate) fn change(change: &Change, objects: &Objects) -> String {
    let value = value(&change.value, change.type_name, objects);
    match change.name {
        Some(name) => format!("{name} = {value}"),
        None => value,
    }
}

pub(crate) fn changes(all: &[Change], objects: &Objects) -> String {
    all.iter().map(|one| change(one, objects)).collect::<Vec<_>>().join(", ")
}

/// A value of a type of the source language; where the type is not known, numbers are taken to be signed.
pub(crate) fn value(value: &Value, type_name: Option<Symbol>, objects: &Objects) -> String {
    let type_name = type_name.map_or("", Symbol::as_str);
    match value {
        Value::Bool(truth) => if *truth { "true" } else { "false" }.to_string(),
        Value::Int(number) => number.to_string(),
        Value::Real(number) => number.to_string(),
        Value::Bv(bits) => integer(*bits, type_name),
        Value::Float(format, bits) => float(*format, *bits),
        Value::Pointer { object, offset } => pointer(*object, *offset, objects),
        Value::Element(sort, number) => format!("{sort}!{number}"),
        Value::Array(array) => {
            let element = |value| self::value(value, None, objects);
            let entries =
                array.entries.iter().map(|(index, value)| format!("[{}] = {}", element(index), element(value)));
            let default = format!("... = {}", element(&array.default));
            format!("{{{}}}", entries.chain([default]).collect::<Vec<_>>().join(", "))
        }
    }
}

fn integer(bits: Bv, type_name: &str) -> String {
    let unsigned = type_name.split_whitespace().any(|word| matches!(word, "unsigned" | "_Bool" | "bool"));
    let number = if unsigned { bits.unsigned().to_string() } else { bits.signed().to_string() };
    let is_character = type_name.split_whitespace().any(|word| word == "char") && !type_name.contains('*');
    match u8::try_from(bits.unsigned()) {
        Ok(c @ 0x20..=0x7e) if is_character => match c {
            b'\'' | b'\\' => format!("{number} '\\{}'", char::from(c)),
            _ => format!("{number} '{}'", char::from(c)),
        },
        _ => number,
    }
}

fn pointer(object: u32, offset: Bv, objects: &Objects) -> String {
    let distance = match offset.signed() {
        0 => String::new(),
        n if n > 0 => format!(" + {n}"),
        n => format!(" - {}", n.unsigned_abs()),
    };
    match objects.get(&object) {
        _ if object == 0 && distance.is_empty() => "NULL".to_string(),
        _ if object == 0 => format!("(void *){:#x}", offset.unsigned()),
        Some(name) => format!("&{name}{distance}"),
        None => format!("&object {object}{distance}"),
    }
}

/// Shortest decimal digits that give the same float again; formats wider than `double` are shown to its precision.
fn float(format: FloatFormat, bits: u128) -> String {
    let shown = if format == FloatFormat::SINGLE {
        let number = f32::from_bits(bits as u32);
        if number.is_finite() { format!("{number:?}") } else { special(number.into()) }
    } else {
        let number = to_double(format, bits);
        if number.is_finite() { format!("{number:?}") } else { special(number) }
    };
    if format == FloatFormat::SINGLE && shown.ends_with(|c: char| c.is_ascii_digit()) { shown + "f" } else { shown }
}

fn special(number: f64) -> String {
    match (number.is_nan(), number.is_sign_negative()) {
        (true, _) => "NAN",
        (false, false) => "INFINITY",
        (false, true) => "-INFINITY",
    }
    .to_string()
}

/// The double nearest to a float of any format, or at most one unit beside it.
fn to_double(format: FloatFormat, bits: u128) -> f64 {
    if format == FloatFormat::DOUBLE {
        return f64::from_bits(bits as u64);
    }
    let extended = format == FloatFormat::EXTENDED;
    let fraction_bits = if extended { 63 } else { format.significand - 1 };
    let stored_bits = if extended { 64 } else { fraction_bits };
    let fraction = bits & ((1u128 << fraction_bits) - 1);
    let exponent = ((bits >> stored_bits) & ((1u128 << format.exponent) - 1)) as i32;
    let sign = if bits >> (stored_bits + format.exponent) & 1 == 1 { -1.0 } else { 1.0 };
    let bias = (1 << (format.exponent - 1)) - 1;
    if exponent == (1 << format.exponent) - 1 {
        return if fraction == 0 { sign * f64::INFINITY } else { f64::NAN };
    }
    let hidden = if exponent == 0 { 0 } else { 1u128 << fraction_bits };
    let scale = exponent.max(1) - bias - fraction_bits as i32;
    // Scaling in two steps keeps both factors inside the range of a double.
    sign * (fraction | hidden) as f64 * 2f64.powi(scale / 2) * 2f64.powi(scale - scale / 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(shown: Value, type_name: &str, expected: &str) {
        let objects = Objects::from([(7, Symbol::new("buffer"))]);
        let type_name = Some(type_name).filter(|name| !name.is_empty()).map(Symbol::new);
        assert_eq!(value(&shown, type_name, &objects), expected);
    }

    #[test]
    fn integers_by_their_type() {
        check(Value::bv(32, 0xffff_fffe), "int", "-2");
        check(Value::bv(32, 0xffff_fffe), "", "-2");
        check(Value::bv(32, 0xffff_fffe), "unsigned int", "4294967294");
        check(Value::bv(8, 65), "char", "65 'A'");
        check(Value::bv(8, 39), "char", "39 '\\''");
        check(Value::bv(8, 200), "unsigned char", "200");
        check(Value::bv(8, 1), "_Bool", "1");
    }

    #[test]
    fn pointers_by_their_object() {
        let pointer = |object, offset: i64| Value::Pointer { object, offset: Bv::new(64, offset as u128) };
        check(pointer(0, 0), "int *", "NULL");
        check(pointer(0, 255), "int *", "(void *)0xff");
        check(pointer(7, 0), "char *", "&buffer");
        check(pointer(7, 8), "char *", "&buffer + 8");
        check(pointer(7, -1), "char *", "&buffer - 1");
        check(pointer(9, 4), "char *", "&object 9 + 4");
    }

    #[test]
    fn floats_as_c_writes_them() {
        check(Value::Float(FloatFormat::SINGLE, f32::to_bits(0.1).into()), "float", "0.1f");
        check(Value::Float(FloatFormat::DOUBLE, f64::to_bits(-2.0).into()), "double", "-2.0");
        check(Value::Float(FloatFormat::DOUBLE, f64::to_bits(f64::NEG_INFINITY).into()), "double", "-INFINITY");
        check(Value::Float(FloatFormat::SINGLE, f32::to_bits(f32::NAN).into()), "float", "NAN");
        // One and a half in x87's format: exponent 16383, significand 1.1.
        check(Value::Float(FloatFormat::EXTENDED, (16383 << 64) | (3 << 62)), "long double", "1.5");
        check(Value::Float(FloatFormat::QUAD, 16383 << 112), "__float128", "1.0");
    }
}
