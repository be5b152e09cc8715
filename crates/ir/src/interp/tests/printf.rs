//! What programs print, as glibc's `printf` prints it.

use super::parsed;
use crate::interp::host::CHost;
use crate::interp::{Interpreter, Limits, Zeros};
use term::{Bv, FloatFormat, Op, Rounding, Value, eval};

/// Calls `printf` with the format; strings among the arguments are written to memory.
fn printed(format: &str, arguments: &[Argument]) -> String {
    let mut objects = String::from("object 1 format: literal size 1000\n");
    let mut stores = vec![string(1, format)];
    let mut passed = Vec::new();
    for (i, argument) in arguments.iter().enumerate() {
        let object = i as u32 + 2;
        passed.push(match argument {
            Argument::Value(value) => value.to_string(),
            Argument::Text(text) => {
                stores.push(string(object, text));
                format!("(pointer #x{object:08x} #x0000000000000000)")
            }
        });
        objects += &format!("object {object} text{i}: literal size 1000\n");
    }
    let text = format!(
        "program \"p.c\" lp64\n{objects}global $memory: mem64\n\
         procedure printf(format: ptr64, ...) returns (r: bv32) benign\n\
         procedure main() returns (n: bv32) {{\n entry -> a: $memory := {}\n\
         a -> exit: n := call printf((pointer #x00000001 #x0000000000000000){})\n}}",
        stores.iter().fold("$memory".to_string(), |memory, store| store.replace("MEMORY", &memory)),
        passed.iter().map(|a| format!(", {a}")).collect::<String>(),
    );
    let program = parsed(&text);
    let (mut output, mut errors) = (Vec::new(), Vec::new());
    let mut host = CHost::new(&mut output, &mut errors);
    let outcome = Interpreter::new(&program).run(&mut Zeros, &mut host, &Limits::default(), None);
    drop(host);
    let shown = super::shown(&program, &outcome.end);
    let output = String::from_utf8_lossy(&output).into_owned();
    if shown == format!("finished n = #x{:08x}", output.len()) { output } else { shown }
}

enum Argument {
    Value(Value),
    Text(&'static str),
}

/// The memory `MEMORY` with a text in an object.
fn string(object: u32, text: &str) -> String {
    let bytes = text.bytes().chain([0]).enumerate();
    bytes.fold("MEMORY".to_string(), |memory, (i, byte)| {
        format!("(mem.store {memory} (pointer #x{object:08x} #x{i:016x}) #x{byte:02x})")
    })
}

/// An argument as the table writes it: a kind and a value.
fn argument(text: &'static str) -> Argument {
    let (kind, value) = text.split_once(' ').unwrap_or((text, ""));
    let double = || {
        let bits = value.parse::<f64>().unwrap().to_bits();
        eval::apply(&Op::FpFromBits(FloatFormat::DOUBLE), &[Value::bv(64, bits.into())]).unwrap()
    };
    match kind {
        "int" => Argument::Value(Value::bv(32, value.parse::<i32>().unwrap() as u128)),
        "long" => Argument::Value(Value::bv(64, value.parse::<i64>().unwrap() as u128)),
        "double" => Argument::Value(double()),
        "extended" => {
            let convert = Op::FpToFp(FloatFormat::EXTENDED, Rounding::NearestEven);
            Argument::Value(eval::apply(&convert, &[double()]).unwrap())
        }
        "text" => Argument::Text(value),
        "pointer" => Argument::Value(Value::Pointer { object: value.parse().unwrap(), offset: Bv::new(64, 0) }),
        _ => panic!("{text}"),
    }
}

fn check(format: &'static str, arguments: &'static str, expected: &str) {
    let arguments: Vec<Argument> = arguments.split(", ").filter(|a| !a.is_empty()).map(argument).collect();
    let format = format.replace("\\n", "\n");
    assert_eq!(printed(&format, &arguments), expected.replace("\\n", "\n"), "{format:?}");
}

/// The table was made by glibc 2.36, but for a case where that is wrong: `%#g` where rounding adds a digit.
#[test]
fn prints_what_glibc_prints() {
    for row in include_str!("printf.tsv").lines() {
        match row.split('\t').collect::<Vec<_>>()[..] {
            [format, arguments, expected] => check(format, arguments, expected),
            _ => panic!("{row}"),
        }
    }
}

#[test]
fn pointers_and_null() {
    check("%p %10p| %s %.3s|", "pointer 0, pointer 0, pointer 0, pointer 0", "(nil)      (nil)| (null) |");
    check("%p %-12p|", "pointer 1, pointer 1", "0x10000 0x10000     |");
}

#[test]
fn calls_without_meaning_stop_the_run() {
    check("%d", "", "undefined: printf has too few arguments");
    check("%ld", "int 1", "undefined: printf expects 64 bits, but the argument has 32");
    check("%f", "int 1", "undefined: printf expects a floating-point number");
    check("%s", "int 5", "undefined: a pointer was expected");
    check("%n", "pointer 1", "unsupported: printf with %n");
    check("%", "", "undefined: printf's format ends inside of a conversion");
}

#[test]
fn streams_are_told_apart() {
    let program = parsed(&format!(
        "program \"p.c\" lp64
         object 1 text: literal size 4
         object 2 stdout: variable size 216
         object 3 stderr: variable size 216
         object 4 file: variable size 216
         global $memory: mem64
         procedure puts(puts::s: ptr64) returns (puts::r: bv32) benign
         procedure putchar(putchar::c: bv32) returns (putchar::r: bv32) benign
         procedure fputc(fputc::c: bv32, fputc::f: ptr64) returns (fputc::r: bv32) benign
         procedure fputs(fputs::s: ptr64, fputs::f: ptr64) returns (fputs::r: bv32) benign
         procedure fprintf(fprintf::f: ptr64, fprintf::s: ptr64, ...) returns (fprintf::r: bv32) benign
         procedure fflush(fflush::f: ptr64) returns (fflush::r: bv32) benign
         procedure write(write::fd: bv32, write::p: ptr64, write::n: bv64) returns (write::r: bv64) benign
         procedure main() returns (r: bv32, w: bv64) {{
           entry -> a: $memory := {}
           a -> b: r := call puts({text})
           b -> c: r := call fputs({text}, {errors})
           c -> d: r := call putchar(#x00000041)
           d -> e: r := call fputc(#x00000042, {errors})
           e -> f: r := call fprintf({output}, {text})
           f -> g: r := call fprintf({file}, {text})
           g -> h: w := call write(#x00000001, {text}, #x0000000000000002)
           h -> exit: r := call fflush({output})
         }}",
        string(1, "xyz").replace("MEMORY", "$memory"),
        text = "(_ ptr 1 #x0000000000000000)",
        output = "(_ ptr 2 #x0000000000000000)",
        errors = "(_ ptr 3 #x0000000000000000)",
        file = "(_ ptr 4 #x0000000000000000)",
    ));
    let (mut output, mut errors) = (Vec::new(), Vec::new());
    let mut host = CHost::new(&mut output, &mut errors);
    let outcome = Interpreter::new(&program).run(&mut Zeros, &mut host, &Limits::default(), None);
    drop(host);
    assert_eq!(super::shown(&program, &outcome.end), "finished r = #x00000000, w = #x0000000000000002");
    assert_eq!((&output[..], &errors[..]), (&b"xyz\nAxyzxy"[..], &b"xyzB"[..]));
}
