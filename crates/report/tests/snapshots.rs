//! Every format rendered from the same few reports, held as files. `UPDATE_EXPECT=1 cargo test -p report` writes them anew.

use driver::property::Property;
use driver::report::{
    Admitted, Cause, Causes, Certificate, Change, Event, Outcome, Repair, Report, Suspect, TraceStep, UnknownFunction,
    Violation, Was,
};
use engine::{Proof, Reason, Statistics};
use expect_test::expect_file;
use ir::{Assumption, AssumptionKind, DataModel, LocId};
use report::{TextOptions, json, sarif, text};
use source::{Place, SourceMap, Symbol};
use std::collections::BTreeMap;
use std::time::Duration;
use term::{Bv, Value};

const PROGRAM: &str = "\
int last(int *a, int n) {
    return a[n - 1];
}

int main(void) {
    int n = __VERIFIER_nondet_int(), sum = 0;
    for (int i = 0; i < n; i++)
        sum += i;
    pthread_create(&t, 0, worker, 0);
    char c = last(a, n);
    assert(sum < 10);
}
";

fn place(line: u32, column: u32) -> Option<Place> {
    Some(Place { file: Symbol::new("sum.c"), line, column })
}

fn int(name: &str, value: i32) -> Change {
    Change {
        name: Some(Symbol::new(name)),
        type_name: Some(Symbol::new("int")),
        value: Value::bv(32, value as u32 as u128),
    }
}

/// A step of `main`, or of `last` where the frame is not 0, at a line of the program above.
fn step(frame: u32, location: u32, line: u32, event: Event) -> TraceStep {
    let text = PROGRAM.lines().nth(line as usize - 1).map(|text| Symbol::new(text.trim()));
    let function = Symbol::new(if frame == 0 { "main" } else { "last" });
    let location = LocId(location);
    TraceStep { thread: 0, frame, depth: frame, function, location, place: place(line, 5), line: text, event }
}

fn steps() -> Vec<TraceStep> {
    let mut steps = vec![
        step(0, 0, 6, Event::Choose(vec![int("n", 6)])),
        step(0, 1, 6, Event::Assign(vec![int("sum", 0)])),
        step(0, 2, 7, Event::Assign(vec![int("i", 0)])),
    ];
    let mut sum = 0;
    for i in 0..6 {
        sum += i;
        steps.push(step(0, 3, 7, Event::Branch));
        steps.push(step(0, 4, 8, Event::Assign(vec![int("sum", sum)])));
        steps.push(step(0, 5, 7, Event::Assign(vec![int("i", i + 1)])));
    }
    steps.push(step(0, 3, 7, Event::Branch));
    steps.push(step(0, 6, 9, Event::Start { thread: 1, function: Symbol::new("worker") }));
    let pointer = Value::Pointer { object: 3, offset: Bv::new(64, 4) };
    let array = Change { name: Some(Symbol::new("a")), type_name: Some(Symbol::new("int *")), value: pointer };
    let in_worker = Event::Assign(vec![array.clone()]);
    steps.push(TraceStep { thread: 1, function: Symbol::new("worker"), ..step(0, 0, 2, in_worker) });
    let arguments = vec![array, int("n", 6)];
    steps.push(step(0, 7, 10, Event::Call { function: Symbol::new("last"), arguments }));
    let result = Change { name: None, type_name: Some(Symbol::new("int")), value: Value::bv(32, 88) };
    steps.push(step(1, 0, 2, Event::Return { function: Symbol::new("last"), results: vec![result] }));
    let c = Change { name: Some(Symbol::new("c")), type_name: Some(Symbol::new("char")), value: Value::bv(8, 88) };
    steps.push(step(0, 8, 10, Event::Assign(vec![c])));
    steps.push(step(0, 9, 11, Event::Branch));
    steps
}

fn report(outcome: Outcome) -> Report {
    let mut sources = SourceMap::new();
    sources.add("sum.c", PROGRAM.into());
    let mut statistics = Statistics::default();
    statistics.count("refinements", 12);
    statistics.time("solver time", Duration::from_millis(1500));
    Report {
        sources,
        file: "sum.c".to_string(),
        linked: Vec::new(),
        data_model: DataModel::Lp64,
        entry: Symbol::new("main"),
        properties: vec![Property::UnreachCall],
        outcome,
        decided_by: Some("predicate"),
        assumptions: Vec::new(),
        unknown_functions: Vec::new(),
        remarks: Vec::new(),
        statistics: vec![("predicate", statistics)],
        phases: vec![("load", Duration::from_millis(7)), ("check", Duration::from_millis(1800))],
    }
}

fn causes() -> Causes {
    let read = Change { name: Some(Symbol::new("i")), type_name: Some(Symbol::new("int")), value: Value::bv(32, 3) };
    let suspect = Suspect {
        function: Symbol::new("main"),
        place: Place { file: Symbol::new("sum.c"), line: 8, column: 19 },
        line: Some(Symbol::new("for (int i = 0; i <= 3; i++)")),
        text: Some(Symbol::new("i <= 3")),
        was: Was::Condition(true),
        reads: vec![read],
        repair: Some(Repair { text: Some(Symbol::new("i < 3")), others: 12 }),
    };
    Causes { sets: vec![Cause { suspects: vec![suspect], checked: true }], remark: None }
}

fn violated() -> Report {
    let mut report = report(Outcome::Unknown(Reason::Timeout));
    let mut sources = SourceMap::new();
    let file = sources.add("sum.c", PROGRAM.into());
    let span = Some(sources.span_at(file, 11, 5));
    report.sources = sources;
    report.assumptions = vec![Assumption {
        kind: AssumptionKind::MissingBody,
        text: Symbol::new("calls of mystery return anything and change nothing"),
        functions: vec![Symbol::new("mystery")],
        place: place(4, 1),
    }];
    report.unknown_functions = vec![UnknownFunction { name: Symbol::new("mystery"), place: place(4, 1) }];
    report.remarks = vec!["something to know".to_string()];
    report.outcome = Outcome::Violated(Violation {
        id: ir::PropertyId(0),
        inputs: Vec::new(),
        choices: Vec::new(),
        causes: causes(),
        property: Property::UnreachCall,
        text: Symbol::new("assertion sum < 10 fails"),
        place: place(11, 5),
        span,
        steps: steps(),
        left_out: None,
        objects: BTreeMap::from([(3, Symbol::new("numbers"))]),
        beyond: None,
        admitted: Admitted::Wholly,
    });
    report
}

fn holds() -> Report {
    report(Outcome::Holds(Certificate {
        invariants: Vec::new(),
        proof: Proof::Unconnected,
        checked_by: Some("a backward search"),
    }))
}

fn unknown() -> Report {
    let what = Symbol::new("inline assembly");
    Report { decided_by: None, ..report(Outcome::Unknown(Reason::Unsupported { what, place: place(3, 1) })) }
}

#[test]
fn text_reports() {
    let plain = TextOptions::default();
    expect_file!["snapshots/violated.txt"].assert_eq(&text(&violated(), plain));
    expect_file!["snapshots/violated-colour.txt"].assert_eq(&text(&violated(), TextOptions { colour: true, ..plain }));
    expect_file!["snapshots/holds.txt"].assert_eq(&text(&holds(), TextOptions { statistics: true, ..plain }));
    expect_file!["snapshots/unknown.txt"].assert_eq(&text(&unknown(), plain));
}

#[test]
fn json_reports() {
    expect_file!["snapshots/violated.json"].assert_eq(&json(&violated()));
    expect_file!["snapshots/holds.json"].assert_eq(&json(&holds()));
    expect_file!["snapshots/unknown.json"].assert_eq(&json(&unknown()));
}

#[test]
fn sarif_reports() {
    expect_file!["snapshots/violated.sarif"].assert_eq(&sarif(&violated()));
    expect_file!["snapshots/holds.sarif"].assert_eq(&sarif(&holds()));
    expect_file!["snapshots/unknown.sarif"].assert_eq(&sarif(&unknown()));
}
