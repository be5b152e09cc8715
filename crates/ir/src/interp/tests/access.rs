//! Memory: words, pointers that are remembered, and accesses without meaning.

use super::{check, check_with, parsed, shown};
use crate::interp::{Choice, Interpreter, Limits, NoHost, Recorded, Zeros};

/// A program over memory with two objects, whose procedure has the given edges and returns `r`.
fn over_memory(sort: &str, edges: &[&str]) -> String {
    let mut body = String::new();
    for (i, edge) in edges.iter().enumerate() {
        let from = if i == 0 { "entry".into() } else { format!("n{i}") };
        let to = if i + 1 == edges.len() { "exit".into() } else { format!("n{}", i + 1) };
        body += &format!("  {from} -> {to}: {edge}\n");
    }
    format!(
        "object 1 a: variable size 16\nobject 2 b: variable size 8\nobject 3 s: literal size 4\n\
         object 4 f: function main size 1\n\
         global $memory: mem32\nglobal $size: (Array bv32 bv32)\nglobal $base: (Array bv32 bv32)\n\
         procedure main() returns (r: {sort}) {{\n{body}}}"
    )
}

fn at(object: u32, offset: u32) -> String {
    format!("(pointer #x{object:08x} #x{offset:08x})")
}

/// The sizes that the declarations promise.
const SIZES: &str = "$size := (store (store (store (store $size #x00000001 #x00000010) #x00000002 #x00000008) \
                     #x00000003 #x00000004) #x00000004 #x00000001)";

fn store(object: u32, offset: u32, value: &str) -> String {
    format!("$memory := (mem.store $memory {} {value})", at(object, offset))
}

fn load(sort: &str, object: u32, offset: u32) -> String {
    format!("r := ((_ load {sort}) $memory {})", at(object, offset))
}

fn check_memory(sort: &str, edges: &[&str], expected: &str) {
    let edges = [&[SIZES], edges].concat();
    check(&over_memory(sort, &edges), expected);
}

const BV8: &str = "(_ BitVec 8)";
const BV32: &str = "(_ BitVec 32)";
const POINTER: &str = "(Ptr 32)";

#[test]
fn words_are_little_endian_bytes() {
    let word = store(1, 3, "#x11223344");
    check_memory("bv32", &[&word, &load(BV32, 1, 3)], "finished r = #x11223344");
    check_memory("bv8", &[&word, &load(BV8, 1, 4)], "finished r = #x33");
    check_memory("bv32", &[&word, &store(1, 5, "#xff"), &load(BV32, 1, 3)], "finished r = #x11ff3344");
    let float = store(1, 0, "((_ fp.from_bits 8 24) #x3fc00000)");
    check_memory("bv32", &[&float, &load(BV32, 1, 0)], "finished r = #x3fc00000");
    let wide = store(1, 0, "#x0102030405060708090a0b0c0d0e0f10");
    check_memory("bv128", &[&wide, &load("(_ BitVec 128)", 1, 0)], "finished r = #x0102030405060708090a0b0c0d0e0f10");
}

#[test]
fn fills_and_copies() {
    let fill = format!("$memory := (mem.fill $memory {} #xab #x00000005)", at(1, 2));
    check_memory("bv32", &[&fill, &load(BV32, 1, 3)], "finished r = #xabababab");
    // The ranges overlap.
    let copy = format!("$memory := (mem.copy $memory {} {} #x00000004)", at(1, 1), at(1, 0));
    check_memory("bv32", &[&store(1, 0, "#x44332211"), &copy, &load(BV32, 1, 1)], "finished r = #x44332211");
}

#[test]
fn pointers_are_remembered() {
    let pointer = store(1, 4, &at(2, 5));
    let shown = "finished r = (_ ptr 2 #x00000005)";
    check_memory("ptr32", &[&pointer, &load(POINTER, 1, 4)], shown);
    // Also where they are copied whole, to any place.
    let copy = format!("$memory := (mem.copy $memory {} {} #x00000008)", at(1, 7), at(1, 3));
    check_memory("ptr32", &[&pointer, &copy, &load(POINTER, 1, 8)], shown);
    // A pointer to no object is one too, and is not mistaken for another object's address.
    let null = store(1, 4, &at(0, 0x10000));
    check_memory("ptr32", &[&pointer, &null, &load(POINTER, 1, 4)], "finished r = (_ ptr 0 #x00010000)");
}

#[test]
fn pointers_are_bytes_of_their_addresses() {
    let pointer = store(1, 4, &at(2, 5));
    // The first object asked for lies at the first address.
    check_memory("bv32", &[&pointer, &load(BV32, 1, 4)], "finished r = #x00010005");
    check_memory("bv32", &["r := (select $base #x00000002)"], "finished r = #x00010000");
    // Bytes that make up an address are a pointer.
    let bytes = [&load(BV32, 1, 4)[..], "$memory := (mem.store $memory (pointer #x00000001 #x00000008) r)"];
    let edges = [&pointer[..], bytes[0], bytes[1]];
    let through = over_memory("bv32", &[&[SIZES], &edges[..]].concat());
    let through = through
        .replace("n3 -> exit", "n3 -> n4")
        .replace("\n}", &format!("\n  n4 -> exit: p := ((_ load {POINTER}) $memory {})\n}}", at(1, 8)));
    let through = through.replace("returns (r: bv32)", "returns (p: ptr32)").replace("{\n", "{\n  local r: bv32\n");
    check(&through, "finished p = (_ ptr 2 #x00000005)");
}

#[test]
fn overwriting_a_part_makes_bytes() {
    let pointer = store(1, 4, &at(2, 5));
    let part = store(1, 6, "#x02");
    check_memory("bv32", &[&pointer, &part, &load(BV32, 1, 4)], "finished r = #x00020005");
    // Whatever is written there now is an address again, here of the same object.
    let again = store(1, 6, "#x01");
    let shown = "finished r = (_ ptr 2 #x00000005)";
    check_memory("ptr32", &[&pointer, &part, &again, &load(POINTER, 1, 4)], shown);
    // Storing a pointer across two others leaves their other bytes.
    let second = store(1, 8, &at(1, 0));
    let across = store(1, 6, &at(1, 0));
    check_memory("bv16", &[&pointer, &second, &across, &load("(_ BitVec 16)", 1, 4)], "finished r = #x0005");
}

#[test]
fn unwritten_bytes_are_asked_for_once() {
    let text = over_memory("bv32", &[SIZES, &load(BV32, 1, 0), &load(BV32, 1, 2)]);
    let sizes = Choice::Initial(term::Value::zero(term::Sort::array(term::Sort::bv(32), term::Sort::bv(32))).unwrap());
    let asked = vec![sizes, Choice::Bytes(vec![1, 2, 3, 4]), Choice::Bytes(vec![5, 6])];
    check_with(&text, &mut Recorded::new(asked.clone()), "finished r = #x06050403");
    check_with(&text, &mut Recorded::new(asked[..2].to_vec()), "choices: no choices are left");
    // A copy of unwritten bytes holds the same as the original.
    let copy = format!("$memory := (mem.copy $memory {} {} #x00000004)", at(2, 0), at(1, 0));
    let text = over_memory("bv32", &[SIZES, &copy, &load(BV32, 1, 0), "havoc r", &load(BV32, 2, 0)]);
    let asked = [asked[0].clone(), asked[1].clone(), Choice::Havoc(term::Value::bv(32, 0))];
    check_with(&text, &mut Recorded::new(asked), "finished r = #x04030201");
}

/// Memory may hold pointers from outside from the start: then it holds them in one piece, and copies do.
#[test]
fn unwritten_pointers_point_to_external_objects() {
    let foreign = term::Value::Pointer { object: crate::memory::FIRST_EXTERNAL, offset: term::Bv::new(32, 8) };
    let sizes = Choice::Initial(term::Value::zero(term::Sort::array(term::Sort::bv(32), term::Sort::bv(32))).unwrap());
    let copy = format!("$memory := (mem.copy $memory {} {} #x00000004)", at(2, 0), at(1, 4));
    let loaded = format!("((_ load (Ptr 32)) $memory {})", at(2, 0));
    let store = format!("$memory := (mem.store $memory {loaded} #x0000002a)");
    let through = format!("r := ((_ load (_ BitVec 32)) $memory {loaded})");
    let text = over_memory("bv32", &[SIZES, &copy, &store, &through]);
    let asked = |pointer: &term::Value| Recorded::new([sizes.clone(), Choice::Pointer(Some(pointer.clone()))]);
    check_with(&text, &mut asked(&foreign), "finished r = #x0000002a");
    let own = term::Value::Pointer { object: 1, offset: term::Bv::new(32, 8) };
    let expected = "choices: a pointer from outside was asked for, but the choice is \
        Pointer { object: 1, offset: Bv { width: 32, bits: 8 } }";
    check_with(&text, &mut asked(&own), expected);
    let bytes = Recorded::new([sizes.clone(), Choice::Bytes(vec![0; 4])]);
    check_with(&text, &mut { bytes }, "undefined: access through a null pointer");
    // Of two places each is decided by itself.
    let both = format!("$memory := (mem.copy $memory {} {} #x00000008)", at(2, 0), at(1, 0));
    let text = over_memory("bv32", &[SIZES, &both, &load(BV32, 2, 0)]);
    let choices = [Choice::Pointer(None), Choice::Pointer(Some(foreign)), Choice::Bytes(vec![1, 2, 3, 4])];
    let mut second = Recorded::new(std::iter::once(sizes.clone()).chain(choices));
    check_with(&text, &mut second, "finished r = #x04030201");
}

#[test]
fn accesses_without_meaning_stop_the_run() {
    let beyond = "undefined: access to 4 bytes at offset 6 of `b`, which has 8 bytes";
    check_memory("bv32", &[&load(BV32, 2, 6)], beyond);
    check_memory("bv32", &[&store(2, 6, "#x00000000")], beyond);
    check_memory("bv32", &[&load(BV32, 0, 0)], "undefined: access through a null pointer");
    check_memory("bv32", &[&load(BV32, 0, 64)], "undefined: access through the invalid pointer 0x40");
    check_memory(
        "bv32",
        &[&load(BV32, 9, 0)],
        "undefined: access to 4 bytes at offset 0 of object 9, which has 0 bytes",
    );
    check_memory("bv8", &[&store(4, 0, "#x00")], "undefined: write to `f`, which is constant");
    // What is not needed is not accessed.
    let guarded = format!("r := (ite (= r r) #x00000007 ((_ load {BV32}) $memory {}))", at(0, 0));
    check_memory("bv32", &[&guarded], "finished r = #x00000007");
    let guarded = format!("assume (or (= r r) (= r ((_ load {BV32}) $memory {})))", at(0, 0));
    check_memory("bv32", &[&guarded], "finished r = #x00000000");
    // No bytes can be copied from anywhere.
    let nothing = format!("$memory := (mem.copy $memory {} {} #x00000000)", at(0, 0), at(9, 9));
    check_memory("bv32", &[&nothing], "finished r = #x00000000");
}

#[test]
fn literals_are_written_once() {
    let text = store(3, 0, "#x00434241");
    check_memory("bv8", &[&text, &load(BV8, 3, 1)], "finished r = #x42");
    check_memory("bv8", &[&text, &store(3, 1, "#x00")], "undefined: write to `s`, which is constant");
}

#[test]
fn objects_live_as_long_as_they_do() {
    let text = |alive: &str| {
        format!(
            "object 1 a: variable size 4
             global $memory: mem64
             global $alive: (Array bv32 bool)
             procedure main() returns (r: bv32) {{
               entry -> a: $alive := (store $alive #x00000001 true)
               a -> b: $memory := (mem.store $memory (pointer #x00000001 #x0000000000000000) #x00000009)
               b -> c: $alive := (store $alive #x00000001 {alive})
               c -> exit: r := ((_ load (_ BitVec 32)) $memory (pointer #x00000001 #x0000000000000000))
             }}"
        )
    };
    let text = |alive| format!("program \"x\" lp64\n{}", text(alive));
    check(&text("true"), "finished r = #x00000009");
    check(&text("false"), "undefined: access to `a` outside of its life");
}

/// Makes 400 000 objects of 64 bytes, links each 1024th of them to the one before, and counts the links at the end.
#[test]
fn objects_that_nothing_reaches_are_given_back() {
    let program = parsed(
        "global $memory: mem32
         procedure main() returns (links: bv32) {
           local i: bv32
           local list: ptr32
           entry -> head: i := #x00000001, list := (_ ptr 0 #x00000000), links := #x00000000
           head -> make: assume (bvult i #x00061a80)
           make -> made: $memory := (mem.store $memory (pointer i #x0000003c) i)
           made -> link: assume (= ((_ extract 9 0) i) #b0000000000)
           link -> next: $memory := (mem.store $memory (pointer i #x00000003) list), list := (pointer i #x00000003)
           made -> next: assume (not (= ((_ extract 9 0) i) #b0000000000))
           next -> head: i := (bvadd i #x00000001)
           head -> count: assume (not (bvult i #x00061a80))
           count -> step: assume (not (= (pointer.object list) #x00000000))
           step -> count: list := ((_ load (Ptr 32)) $memory list), links := (bvadd links #x00000001)
           count -> exit: assume (= (pointer.object list) #x00000000)
         }",
    );
    let limits = Limits { memory: 40 << 20, ..Limits::default() };
    let outcome = Interpreter::new(&program).run(&mut Zeros, &mut NoHost, &limits, None);
    assert_eq!(shown(&program, &outcome.end), "finished links = #x00000186");
    // All of them together would take 25 million bytes and their states as many.
    assert!(outcome.statistics.object_bytes < 20 << 20, "{:?}", outcome.statistics);
}
