//! Sizes and lives of objects as constants: random programs that allocate, copy, end and ask about objects run as
//! before.

use ir::Program;
use ir::interp::{End, Interpreter, Limits, NoHost, Zeros};
use pass::object_sizes;
use std::fmt::Write;
use term::Op;
use term::random::Random;

/// The locations of a program behind its start.
const LOCATIONS: usize = 10;
const SIZES: [&str; 2] = ["#x0000000000000004", "#x0000000000000008"];

/// A program without choices whose result depends on all sizes and lives that it read. Two objects are static; three
/// variables hold identities.
fn program(random: &mut Random) -> Program {
    let mut text = String::from(
        "program \"o.c\" lp64 entry main\nobject 1 a: variable size 4\nobject 2 b: variable size 8\n\
         global $next: bv32\nglobal $size: (Array bv32 bv64)\nglobal $alive: (Array bv32 bool)\n\
         procedure main() returns (r: bv16) {\nlocal x: bv32\nlocal y: bv32\nlocal z: bv32\nlocal n: bv8\n\
         entry -> s1: $next := #x00000003, r := #x0000, n := #x00\n\
         s1 -> s2: $size := (store (store $size #x00000001 #x0000000000000004) #x00000002 #x0000000000000008)\n\
         s2 -> l0: $alive := (store (store $alive #x00000001 true) #x00000002 true)\n",
    );
    // Most variables hold objects of one size.
    let own: Vec<&str> = (0..3).map(|_| *random.pick(&SIZES)).collect();
    for at in 0..LOCATIONS {
        let variable = random.below(3);
        let name = ["x", "y", "z"][variable];
        let read = *random.pick(&[name, name, name, "#x00000001", "#x00000002"]);
        let next = at + 1;
        let _ = match random.below(9) {
            0..3 => {
                let size = if random.once_in(6) { *random.pick(&SIZES) } else { own[variable] };
                let life = if random.once_in(3) {
                    "skip".to_string()
                } else {
                    format!("$alive := (store $alive {name} true)")
                };
                writeln!(
                    text,
                    "l{at} -> l{at}a: {name} := $next, $next := (bvadd $next #x00000001)\n\
                     l{at}a -> l{at}b: $size := (store $size {name} {size})\nl{at}b -> l{next}: {life}"
                )
            }
            3 | 4 => writeln!(
                text,
                "l{at} -> l{next}: r := (bvadd (bvmul r #x0003) (ite (= (select $size {read}) {}) #x0001 #x0002))",
                SIZES[0]
            ),
            5 => writeln!(
                text,
                "l{at} -> l{next}: r := (bvadd (bvmul r #x0003) (ite (select $alive {read}) #x0001 #x0002))"
            ),
            6 if random.once_in(3) => writeln!(text, "l{at} -> l{next}: $alive := (store $alive {read} false)"),
            6 if random.once_in(2) => writeln!(text, "l{at} -> l{next}: {name} := {}", random.pick(&["x", "y"])),
            6 => writeln!(text, "l{at} -> l{next}: skip"),
            _ => {
                let to = random.below(LOCATIONS);
                let limit = 1 + random.below(7);
                writeln!(
                    text,
                    "l{at} -> l{at}a: n := (bvadd n #x01)\nl{at}a -> l{to}: assume (bvult n #x{limit:02x})\n\
                     l{at}a -> l{next}: assume (not (bvult n #x{limit:02x}))"
                )
            }
        };
    }
    let _ = writeln!(text, "l{LOCATIONS} -> exit: skip\n}}");
    let program = ir::parse(&text).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
    ir::validate(&program).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
    program
}

fn end(program: &Program) -> End {
    let limits = Limits { steps: 10_000, ..Limits::default() };
    Interpreter::new(program).run(&mut Zeros, &mut NoHost, &limits, None).end
}

/// How often a program reads sizes and lives.
fn reads(program: &Program) -> usize {
    let terms = term::visit::post_order(program.edges().flat_map(|edge| edge.op.reads()));
    terms.into_iter().filter(|term| term.op() == &Op::Select).count()
}

#[test]
fn programs_run_as_before() {
    let (mut fewer, mut finished) = (0, 0);
    for number in 0..3_000 {
        let program = program(&mut Random::new(number));
        let passed = object_sizes(&program);
        let text = || format!("program {number}\n{}\n{}", ir::print(&program), ir::print(&passed.program));
        ir::validate(&passed.program).unwrap_or_else(|errors| panic!("{errors:?}\n{}", text()));
        let (before, after) = (end(&program), end(&passed.program));
        assert_eq!(before, after, "{}", text());
        fewer += usize::from(reads(&passed.program) < reads(&program));
        finished += usize::from(matches!(before, End::Finished(_)));
    }
    assert!(fewer > 500 && finished > 1_000, "{fewer} with fewer reads, {finished} finished: the test says little");
}
