//! Loops become procedures: none is left, and the parts of the program know each other.

use analysis::component::components;
use ir::Program;
use pass::loops_to_procedures;

/// Makes procedures of the loops of main: how many there are, by name.
fn check(body: &str, expected: &[&str]) -> Program {
    let text = format!(
        "property p unreach-call\nglobal g: bv32\nprocedure main() {{\nlocal x: bv32\nlocal y: bv32\n\
         location bad error p\n{body}\n}}\n"
    );
    let program = ir::parse(&text).unwrap_or_else(|errors| panic!("{text}\n{errors:?}"));
    let passed = loops_to_procedures(&program);
    ir::validate(&passed.program).unwrap_or_else(|errors| panic!("{text}\n{errors:?}"));
    let names: Vec<&str> = passed.program.procedures.iter().map(|procedure| procedure.name.as_str()).collect();
    assert_eq!(names, expected, "{text}");
    for procedure in &passed.program.procedures {
        let cfa = procedure.body.as_ref().expect("a body");
        assert!(components(cfa).iter().all(|component| component.len() == 1), "{} has a loop", procedure.name);
        assert!(cfa.edges().all(|(_, edge)| edge.from != edge.to), "{} has a loop", procedure.name);
    }
    // Every edge of the old program has one copy, and only calls and codes are made up.
    let old = program.procedures[0].body.as_ref().expect("a body").edge_count();
    let edges = passed.program.procedures().flat_map(|(id, procedure)| {
        let cfa = procedure.body.as_ref().expect("a body");
        cfa.edges().map(move |(edge, _)| (id, edge)).collect::<Vec<_>>()
    });
    assert_eq!(edges.filter(|(id, edge)| passed.lift.edge(*id, *edge).is_some()).count(), old, "{text}");
    passed.program
}

fn parameters(program: &Program, name: &str) -> (Vec<String>, Vec<String>) {
    let id = program.find_procedure(name).expect("the procedure");
    let names = |list: &[ir::Variable]| list.iter().map(|variable| variable.name().to_string()).collect();
    let procedure = program.procedure(id);
    (names(&procedure.parameters), names(&procedure.results))
}

const COUNT: &str = "entry -> L: x := #x00000000\nL -> M: assume (bvult x #x0000000a)\nM -> L: x := (bvadd x #x00000001)\n\
    L -> N: assume (not (bvult x #x0000000a))\nN -> bad: assume (= x y)\nN -> exit: assume (not (= x y))";

#[test]
fn a_loop_becomes_a_procedure_that_calls_itself() {
    let program = check(COUNT, &["main", "main%loop1"]);
    let (parameters, results) = parameters(&program, "main%loop1");
    assert_eq!(parameters, ["main%loop1::x%in"]);
    assert_eq!(results, ["main%loop1::x"]);
}

/// What is written before it is read is the loop's own.
#[test]
fn variables_that_do_not_matter_outside_stay_inside() {
    let body = "entry -> L: x := #x00000000\nL -> M: y := (bvadd x #x00000001)\nM -> L: x := y\nL -> exit: g := x";
    let program = check(body, &["main", "main%loop1"]);
    let (parameters, results) = parameters(&program, "main%loop1");
    assert_eq!(parameters, ["main%loop1::x%in"]);
    assert_eq!(results, [""; 0]);
}

#[test]
fn errors_inside_stay_inside() {
    let body = "entry -> L: x := y\nL -> M: assume (bvult x #x0000000a)\nM -> L: x := (bvadd x #x00000001)\n\
        M -> bad: assume (= x g)";
    let program = check(body, &["main", "main%loop1"]);
    let id = program.find_procedure("main%loop1").expect("the procedure");
    let cfa = program.procedure(id).body.as_ref().expect("a body");
    assert!(cfa.edges().any(|(_, edge)| matches!(cfa.location(edge.to).kind, ir::LocationKind::Error(_))));
}

#[test]
fn loops_in_loops_several_exits_and_several_entries() {
    let nested = "entry -> L: x := #x00000000\nL -> M: y := #x00000000\nM -> M: y := (bvadd y #x00000001)\n\
        M -> L: x := (bvadd x y)\nL -> exit\nM -> bad: assume (= x g)";
    check(nested, &["main", "main%loop1", "main%loop1%loop1"]);
    let exits = "entry -> L: x := #x00000000\nL -> M: x := (bvadd x #x00000001)\nM -> L: g := x\nL -> P: assume (= x y)\n\
        M -> Q: assume (= g y)\nP -> exit: g := x\nQ -> exit: g := y\nP -> bad: assume (= x #x00000000)";
    let program = check(exits, &["main", "main%loop1"]);
    assert_eq!(parameters(&program, "main%loop1").1, ["main%loop1::x", "main%loop1::%left"]);
    let irreducible = "entry -> L: x := y\nentry -> M: x := #x00000001\nL -> M: x := (bvadd x #x00000001)\nM -> L: g := x\n\
        M -> exit: assume (= x y)\nL -> bad: assume (= x g)";
    let program = check(irreducible, &["main", "main%loop1"]);
    assert_eq!(parameters(&program, "main%loop1").0.last().map(String::as_str), Some("main%loop1::%start"));
}
