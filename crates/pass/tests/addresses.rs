//! F-Soft's model of memory: elements as variables, a finite heap, numeric addresses, variables for dereferences.

use ir::interp::{End, Interpreter, Limits, NoHost, Zeros};
use ir::{Op, Program};
use pass::{Bound, Foreign, Heap, Passed, addresses, dereferences, prune, split_into_elements};

fn parse(text: &str) -> Program {
    ir::parse(text).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"))
}

const HEAP: Heap = Heap { objects: 2, bytes: 16 };

fn elements(program: &Program) -> Passed {
    let passed = split_into_elements(program, Foreign::Any, HEAP).then(|program| prune(program, |_| false));
    ir::validate(&passed.program).unwrap_or_else(|errors| panic!("{errors:?}\n{}", ir::print(&passed.program)));
    passed
}

fn numeric(passed: Passed) -> Passed {
    let passed = passed.then(addresses);
    ir::validate(&passed.program).unwrap_or_else(|errors| panic!("{errors:?}\n{}", ir::print(&passed.program)));
    passed
}

/// What assigns a variable, in the order of edges.
fn assigned(program: &Program, name: &str) -> Vec<String> {
    let assigned = program.edges().flat_map(|edge| match &edge.op {
        Op::Assign(pairs) => pairs.clone(),
        _ => Vec::new(),
    });
    let own = assigned.filter(|(variable, _)| variable.name().is_some_and(|own| own.as_str() == name));
    own.map(|(_, value)| value.to_string().replace('|', "")).collect()
}

/// How the execution ends in which all that is left open is zero.
fn end(program: &Program) -> End {
    Interpreter::new(program).run(&mut Zeros, &mut NoHost, &Limits::default(), None).end
}

/// `int m, n; int *q; int **p;` with `q`, `m` and `n` in memory.
const POINTERS: &str = "program \"p.c\" lp64 entry main\nobject 1 q: variable size 8\nobject 2 m: variable size 4\n\
    object 3 n: variable size 4\nglobal $memory: mem64\nproperty bad unreach-call\nprocedure main() {\n\
    local p: ptr64\nlocal x: bv32\nlocal c: bool\nlocation wrong error bad\n\
    entry -> A: $memory := (mem.store $memory (_ ptr 1 #x0000000000000000) (_ ptr 3 #x0000000000000000))\n\
    A -> B: p := (_ ptr 1 #x0000000000000000)\n\
    B -> C: assume c\nB -> B1: assume (not c)\n\
    B1 -> C: $memory := (mem.store $memory (_ ptr 1 #x0000000000000000) (_ ptr 2 #x0000000000000000))\n\
    C -> D: $memory := (mem.store $memory ((_ load (Ptr 64)) $memory p) #x00000005)\n\
    D -> E: x := ((_ load (_ BitVec 32)) $memory ((_ load (Ptr 64)) $memory p))\n\
    E -> wrong: assume (= x #x00000005)\n}\n";

/// Section 5.2, line by line: what `p = &q` and `q = &m` imply for `*p` and `**p`, and what aliasing adds.
#[test]
fn implied_and_aliasing_assignments() {
    let program = parse(POINTERS);
    let passed = dereferences(&program);
    ir::validate(&passed.program).unwrap_or_else(|errors| panic!("{errors:?}\n{}", ir::print(&passed.program)));
    let (star, star_star) = (assigned(&passed.program, "p."), assigned(&passed.program, "p.."));
    let text = ir::print(&passed.program);
    // q = &n changes them only where p is &q.
    assert_eq!(star[0], "(ite (= p (_ ptr 1 #x0000000000000000)) (_ ptr 3 #x0000000000000000) p.)", "{text}");
    assert_eq!(
        star_star[0],
        "(ite (= p (_ ptr 1 #x0000000000000000)) ((_ load (_ BitVec 32)) $memory (_ ptr 3 #x0000000000000000)) p..)",
        "{text}"
    );
    // p = &q: *p is q, and **p is *q.
    let q = "((_ load (Ptr 64)) $memory (_ ptr 1 #x0000000000000000))";
    assert_eq!(star[1], q, "{text}");
    assert_eq!(star_star[1], format!("((_ load (_ BitVec 32)) $memory {q})"), "{text}");
    // q = &m: *p is &m, and **p is m, where p is &q.
    assert_eq!(star[2], "(ite (= p (_ ptr 1 #x0000000000000000)) (_ ptr 2 #x0000000000000000) p.)", "{text}");
    assert_eq!(
        star_star[2],
        "(ite (= p (_ ptr 1 #x0000000000000000)) ((_ load (_ BitVec 32)) $memory (_ ptr 2 #x0000000000000000)) p..)",
        "{text}"
    );
    // **p = 5 does that, and reads of **p read the variable.
    assert_eq!(star_star[3], "#x00000005", "{text}");
    // At the start they are what they stand for.
    assert_eq!(star[3], "((_ load (Ptr 64)) $memory p)", "{text}");
    assert_eq!(assigned(&passed.program, "x"), ["p.."], "{text}");
}

/// The same with variables for memory: v_q, m and n, and addresses that are numbers.
#[test]
fn addresses_are_numbers() {
    let plain = numeric(elements(&parse(POINTERS)));
    let text = ir::print(&plain.program);
    // The rooms have 1024 addresses each.
    let number = |room: u32| format!("#x{:024x}", room * 1024);
    assert_eq!(assigned(&plain.program, "*q@0@address"), [number(2), number(1)], "{text}");
    // A write through a pointer is a conditional assignment to each object that it may point to.
    let written = |room| format!("(ite (= *q@0@address {}) #x00000005 ", number(room));
    assert_eq!(assigned(&plain.program, "*m@0"), [format!("{}*m@0)", written(1))], "{text}");
    assert_eq!(assigned(&plain.program, "*n@0"), [format!("{}*n@0)", written(2))], "{text}");
    assert!(!text.contains("(Ptr"), "{text}");
    let own = numeric(dereferences(&parse(POINTERS)).then(elements));
    assert_eq!(assigned(&own.program, "x"), ["p.."], "{}", ir::print(&own.program));
}

/// Four elements of four bytes; the third is written by a constant, one through a pointer that moves.
const ARRAY: &str = "program \"a.c\" lp64 entry main\nobject 1 a: variable size 16\nglobal $memory: mem64\n\
    property bad unreach-call\nprocedure main() {\nlocal p: ptr64\nlocal i: bv32\nlocal x: bv32\nlocation wrong error bad\n\
    entry -> A: $memory := (mem.store $memory (_ ptr 1 #x0000000000000008) #x00000007)\n\
    A -> B: i := #x00000002\nB -> C: p := (_ ptr 1 #x0000000000000000)\n\
    C -> D: p := (pointer (pointer.object p) (bvadd (pointer.offset p) (bvmul ((_ sign_extend 32) i) #x0000000000000004)))\n\
    D -> E: $memory := (mem.store $memory p (bvadd #x00000001 ((_ load (_ BitVec 32)) $memory p)))\n\
    E -> F: x := ((_ load (_ BitVec 32)) $memory (pointer #x00000001 (bvmul ((_ sign_extend 32) i) #x0000000000000004)))\n\
    F -> wrong: assume (= x #x00000008)\n}\n";

/// Elements are variables with consecutive addresses.
#[test]
fn elements_of_arrays() {
    let program = parse(ARRAY);
    let passed = numeric(elements(&program));
    let text = ir::print(&passed.program);
    for element in [0, 4, 8, 12] {
        let name = format!("*a@{element}");
        assert!(passed.program.globals.iter().any(|global| global.name().as_str() == name), "{name}\n{text}");
        let last = assigned(&passed.program, &name).pop().expect("written");
        assert!(last.contains(&format!("(ite (= ?1 #x{element:016x}) ")), "{last}");
    }
    assert!(!text.contains("(Array"), "{text}");
    assert_eq!(end(&passed.program), End::Violated(ir::PropertyId(0)), "{text}");
    assert_eq!(end(&program), End::Violated(ir::PropertyId(0)));
}

/// A pointer may move around its object, and no further.
#[test]
fn pointers_stay_in_their_rooms() {
    for (index, is_beyond) in
        [("#x00000000", false), ("#xffffffff", false), ("#x00000010", false), ("#x00001000", true)]
    {
        let text = ARRAY
            .replace("i := #x00000002", &format!("i := {index}"))
            .replace("(= x #x00000008)", "(not (= p (_ ptr 0 #x0000000000000000)))");
        let passed = numeric(elements(&parse(&text)));
        assert_eq!(Bound::all(&passed.program), [Bound { name: "margin", number: 256 }]);
        match end(&passed.program) {
            End::Unsupported(what) => assert!(is_beyond && what.starts_with("beyond margin"), "{index}: {what}"),
            // What is read outside of the object is arbitrary.
            _ => assert!(!is_beyond, "{index}"),
        }
    }
}

/// A list of so many nodes, each with a number in it, that are made in a loop.
fn list(nodes: u32, size: &str) -> Program {
    parse(&format!(
        "program \"l.c\" lp64 entry main\nglobal $next: bv32\nglobal $size: (Array bv32 bv64)\nglobal $memory: mem64\n\
        property bad unreach-call\nprocedure main() {{\nlocal i: bv32\nlocal o: bv32\nlocal h: ptr64\nlocal n: ptr64\nlocal k: bv64\n\
        location wrong error bad\nentry -> S: $next := #x00000001\nS -> T: k := #x0000000000000010\nT -> A: i := #x00000000\n\
        A -> B: assume (bvult i #x{nodes:08x})\nA -> Z: assume (not (bvult i #x{nodes:08x}))\n\
        B -> C: o := $next, $next := (bvadd $next #x00000001)\nC -> D: $size := (store $size o {size})\n\
        D -> E: n := (pointer o #x0000000000000000)\nE -> F: $memory := (mem.store $memory n i)\n\
        F -> G: $memory := (mem.store $memory (pointer (pointer.object n) (bvadd (pointer.offset n) #x0000000000000008)) h)\n\
        G -> H: h := n\nH -> A: i := (bvadd i #x00000001)\n\
        Z -> wrong: assume (= ((_ load (_ BitVec 32)) $memory ((_ load (Ptr 64)) $memory (pointer (pointer.object h) \
        (bvadd (pointer.offset h) #x0000000000000008)))) #x00000000)\n}}\n"
    ))
}

/// Within its bound the heap is what it is; beyond it, that is said.
#[test]
fn the_heap_within_its_bound_and_beyond() {
    for (nodes, size, bound) in [
        (2, "#x0000000000000010", None),
        (3, "#x0000000000000010", Some("beyond heap 2")),
        (2, "k", None),
        (2, "(bvadd k #x0000000000000001)", Some("beyond object 16")),
    ] {
        let program = list(nodes, size);
        let passed = numeric(elements(&program));
        let text = ir::print(&passed.program);
        // The last node's successor is the first one, whose number is 0.
        match (end(&passed.program), bound) {
            (End::Violated(_), None) => {}
            (End::Unsupported(what), Some(bound)) => assert_eq!(what, bound, "{text}"),
            (other, _) => panic!("{nodes} {size}: {other:?}\n{text}"),
        }
    }
}
