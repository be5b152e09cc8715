//! Tables of what was measured, and reading what they are made of.

use bench::{Answer, Figures, Measured, Results, Row, lbe};
use expect_test::expect;

fn run(answer: Answer, seconds: f64, figures: Option<Figures>) -> Measured {
    Measured { answer, seconds, peak_bytes: 40 << 20, figures }
}

fn results() -> Results {
    let figures = |nodes| Some(Figures { nodes, refinements: 50, predicates: 18, average: 3.25, largest: 18 });
    let task = |name: &str| lbe::written().into_iter().find(|task| task.name == name).expect("a program");
    let rows = vec![
        Row {
            task: task("locks_11.c"),
            runs: vec![run(Answer::Timeout, 20.0, figures(266)), run(Answer::True, 0.5, figures(4))],
        },
        Row {
            task: task("handshake_4.BUG.c"),
            runs: vec![run(Answer::True, 1.0, None), run(Answer::Unknown("cancelled".into()), 1.0, None)],
        },
    ];
    Results { configurations: vec![lbe::SBE, lbe::LBE], seconds: 20.0, bytes: 1800 << 20, rows }
}

#[test]
fn tables() {
    expect![[r#"
        # Software Model Checking via Large-Block Encoding

        Time is processor time in seconds; each run ends after 20 s on the clock and with 1800 MB. Columns with [p] are the paper's (1.8 GHz Core 2, limits 1800 s and 1.8 GB); beside programs that are not its own, what it prints for those that they are written after. (*) marks figures of a run without an answer.

        ## Table I: programs without bugs

        | program             | BLAST [p] | SBE [p] | LBE [p] |     SBE |     s | MB |    LBE |    s | MB |
        |---------------------|----------:|--------:|--------:|--------:|------:|---:|-------:|-----:|---:|
        | locks_11.c          |    204.55 |      MO |    0.70 | timeout | 20.00 | 40 |   TRUE | 0.50 | 40 |
        | TOTAL (solved/time) |  1/204.55 |  0/0.00 |  1/0.70 |  0/0.00 |       |    | 1/0.50 |      |    |

        ## Table II: programs with bugs

        | program             | BLAST [p] | SBE [p] | LBE [p] |        SBE |    s | MB |                LBE |    s | MB |
        |---------------------|----------:|--------:|--------:|-----------:|-----:|---:|-------------------:|-----:|---:|
        | handshake_4.BUG.c   |         - |       - |       - | TRUE WRONG | 1.00 | 40 | UNKNOWN(cancelled) | 1.00 | 40 |
        | TOTAL (solved/time) |    0/0.00 |  0/0.00 |  0/0.00 |     1/1.00 |      |    |             0/0.00 |      |    |

        ## Table III: trees, refinements and predicates

        | program    | SBE [p] nodes | refinements | predicates | average |  most | SBE nodes | refinements | predicates | average |  most | LBE [p] nodes | refinements | predicates | average | most | LBE nodes | refinements | predicates | average | most |
        |------------|--------------:|------------:|-----------:|--------:|------:|----------:|------------:|-----------:|--------:|------:|--------------:|------------:|-----------:|--------:|-----:|----------:|------------:|-----------:|--------:|-----:|
        | locks_11.c |      24779(*) |      242(*) |      22(*) |    9(*) | 22(*) |    266(*) |       50(*) |      18(*) |  3.2(*) | 18(*) |             4 |           0 |          0 |       0 |    0 |         4 |          50 |         18 |     3.2 |   18 |
    "#]].assert_eq(&report::lbe_text(&results()));
}

/// What both solve is what is compared; a wrong answer is none.
#[test]
fn groups_are_compared_by_what_all_solve() {
    let mut results = results();
    let task = |number: usize| results.rows[number].task.clone();
    let grouped = |task: bench::Task, runs| Row { task: bench::Task { group: Some("g".into()), ..task }, runs };
    let rows = vec![
        grouped(task(0), vec![run(Answer::True, 3.0, None), run(Answer::True, 0.5, None)]),
        grouped(task(0), vec![run(Answer::Timeout, 20.0, None), run(Answer::True, 1.0, None)]),
        grouped(task(1), vec![run(Answer::False, 2.0, None), run(Answer::False, 0.5, None)]),
        grouped(task(1), vec![run(Answer::True, 9.0, None), run(Answer::False, 0.5, None)]),
    ];
    results.rows = rows;
    let text = report::lbe_text(&results);
    let groups = text.split("## Groups").nth(1).expect("a table of groups").trim();
    expect![[r#"
        | group | tasks | SBE solves | LBE solves | all solve | SBE s on these | LBE s on these | factor |
        |-------|------:|-----------:|-----------:|----------:|---------------:|---------------:|-------:|
        | g     |     4 |          2 |          4 |         2 |           5.00 |           1.00 |    5.0 |"#]]
    .assert_eq(groups);
}

#[test]
fn json_holds_the_same() {
    let document: serde_json::Value = serde_json::from_str(&report::lbe_json(&results())).expect("JSON");
    let row = &document["rows"][0];
    assert_eq!(row["published"]["SBE"][0], "24779(*)");
    assert_eq!(row["runs"][0]["answer"], "timeout");
    assert_eq!(row["runs"][1]["figures"]["nodes"], 4);
}

/// Reads a report; `expected` is the answer and the number of nodes.
fn check(document: &str, expected: Option<(Answer, Option<u64>)>) {
    let read = report::read_run(document);
    assert_eq!(read.map(|(answer, figures)| (answer, figures.map(|f| f.nodes))), expected);
}

#[test]
fn reports_are_read_again() {
    let statistics = r#"{"predicate": {"ART nodes": 4, "refinements": 0, "predicates": 0,
        "predicates per location": 0.0, "most predicates at a location": 0}}"#;
    check(&format!(r#"{{"verdict": "TRUE", "statistics": {statistics}}}"#), Some((Answer::True, Some(4))));
    check(r#"{"verdict": "FALSE", "statistics": {}}"#, Some((Answer::False, None)));
    let timeout = r#"{"verdict": "UNKNOWN", "reason": {"kind": "timeout", "text": "timeout"}}"#;
    check(timeout, Some((Answer::Timeout, None)));
    let other =
        r#"{"verdict": "UNKNOWN", "reason": {"kind": "no-progress", "text": "refinement made no progress: why"}}"#;
    check(other, Some((Answer::Unknown("no-progress".into()), None)));
    check("not a report", None);
}

/// The tables of `fathom bench corral`, and reading what they are made of.
#[test]
fn corral() {
    use bench::corral::{Refinements, refined, tables};
    use bench::tables::{Measured, Measurements};
    let mut table = tables().remove(0);
    table.tasks.truncate(2);
    let run = |answer, seconds, count| Measured { answer, seconds, count };
    let runs = vec![
        vec![run(Answer::True, 0.5, Some(23)), run(Answer::True, 2.0, Some(47))],
        vec![run(Answer::True, 0.5, None), run(Answer::Memory, 3.0, Some(99))],
    ];
    let measured = [Measurements { table, runs }];
    assert!(measured[0].is_wrong());
    let document = r#"{"verdict": "TRUE", "statistics": {"stratified": {"paths compared": 4, "paths with different answers": 0,
        "STORM questions": 74, "STORM time": 0.5, "Algorithm 1 questions": 40, "Algorithm 1 time": 0.25,
        "Algorithm 2 questions": 40, "Algorithm 2 time": 0.125}}}"#;
    let mut compared = refined();
    compared.truncate(2);
    compared[0].measured = report::read_refinements(document);
    let expected = Refinements { paths: 4, different: 0, questions: [74, 40, 40], seconds: [0.5, 0.25, 0.125] };
    assert_eq!(compared[0].measured, Some(expected));
    expect![[r#"
        Limits of each run: 20 s, 1800 MB. [p] is what the paper prints for its own programs.

        What the paper prints:

        - Section 4.1: static inlining ran out of memory on the six largest of 14 drivers; on the rest stratified inlining was three times faster.
        - Section 4.1: Algorithm 2 was 2.8 times faster than Algorithm 1 and 13.2 times faster than STORM's, on the same spurious paths.
        - Section 4.2: 83 % of the correct programs were proved irrespective of the recursion bound, 91 % with Houdini.

        ## Stratified and static inlining (procedures inlined)

        | program           | expected | stratified |    static |
        |-------------------|---------:|-----------:|----------:|
        | small_20p_42v     |     TRUE |  0.50 (23) | 2.00 (47) |
        | small_20p_42v_bug |    FALSE | WRONG TRUE |    memory |

        stratified: 2 of 2 decided; the 1 that all decide take 0.50 s.
        static: 1 of 2 decided; the 1 that all decide take 2.00 s.

        ## Refinement on the same spurious paths (calls of the solver)

        | program             | globals |     paths | different | STORM calls |     s | Algorithm 1 calls |     s | Algorithm 2 calls |     s | times 1 | times STORM |
        |---------------------|--------:|----------:|----------:|------------:|------:|------------------:|------:|------------------:|------:|--------:|------------:|
        | small_20p_42v       |      42 |         4 |         0 |          74 | 0.500 |                40 | 0.250 |                40 | 0.125 |     2.0 |         4.0 |
        | as_daytona_40p_114v |     114 | no report |
        | TOTAL               |         |         4 |         0 |          74 | 0.500 |                40 | 0.250 |                40 | 0.125 |     2.0 |         4.0 |
    "#]].assert_eq(&report::corral_bench_text(&measured, &compared, 20.0, 1800));
}
