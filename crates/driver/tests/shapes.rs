//! The engine `shapes` and the check of its proofs against executions: random programs that build, change and traverse lists.
//! Where an execution violates the property, no proof may be found; and each proof that is found passes its check.

use driver::pipeline::{Executions, Form};
use engine::{Cancel, Engine, Run, Verdict};
use execution::Shown;
use frontend_c::{Options, load_text};
use ir::{DataModel, Program};
use solver::{Blaster, Smt};
use source::{SourceMap, Symbol};
use std::time::Duration;
use term::random::Random;

/// How long the engine may think about a program, and how long executions are looked for.
const PATIENCE: Duration = Duration::from_millis(600);
const LOOKED_FOR: Duration = Duration::from_millis(60);

/// Writes statements about three pointers to nodes.
struct Writer<'a> {
    random: &'a mut Random,
    text: String,
    frees: bool,
}

impl Writer<'_> {
    fn pointer(&mut self) -> &'static str {
        ["p", "q", "r"][self.random.below(3)]
    }

    fn link(&mut self) -> &'static str {
        ["next", "next", "back"][self.random.below(3)]
    }

    fn statement(&mut self, depth: usize) {
        let (a, b, link) = (self.pointer(), self.pointer(), self.link());
        let data = self.random.below(3);
        let (statement, is_block) = match self.random.below(if depth == 0 { 11 } else { 15 }) {
            0 | 1 => (format!("{a} = new({data}, {b}, 0);"), false),
            2 => (format!("{a} = new({data}, {b}, {b}); if ({a}->next) {a}->next->back = {a};"), false),
            3 => (format!("{a} = {b};"), false),
            4 => (format!("if ({b}) {a} = {b}->{link};"), false),
            5 => (format!("if ({a}) {a}->{link} = {b};"), false),
            6 => (format!("if ({a}) {a}->data = {data};"), false),
            7 if self.frees => (format!("if ({a}) {{ {b} = {a}->next; free({a}); {a} = 0; }}"), false),
            7 | 8 => (format!("while ({a} && nondet()) {a} = {a}->{link};"), false),
            9 => (format!("while ({a} && {a}->data != {data}) {a} = {a}->{link};"), false),
            10 => (format!("if ({a} && {b} && {a}->{link} == {b}) {a} = 0;"), false),
            11 => ("if (nondet()) {".to_string(), true),
            _ => ("while (nondet()) {".to_string(), true),
        };
        self.text += &format!("  {statement}\n");
        if is_block {
            (0..1 + self.random.below(3)).for_each(|_| self.statement(depth - 1));
            self.text += "  }\n";
        }
    }

    /// A program with an assertion about what is left of lists.
    fn program(mut self) -> String {
        self.text += "extern void *malloc(unsigned long);\nextern void free(void *);\nextern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n\
            struct node { int data; struct node *next, *back; };\n\
            static int nondet(void) { return __VERIFIER_nondet_int() & 1; }\n\
            static struct node *new(int data, struct node *next, struct node *back) {\n\
              struct node *node = malloc(sizeof *node);\n  node->data = data;\n  node->next = next;\n\
              node->back = back;\n  return node;\n}\n\
            int main(void) {\n  struct node *p = 0, *q = 0, *r = 0;\n";
        // A list, so that there is something to fold.
        let data = self.random.below(3);
        self.text += &format!("  while (nondet()) p = new({data}, p, 0);\n");
        (0..2 + self.random.below(5)).for_each(|_| self.statement(2));
        let (a, b, data, link) = (self.pointer(), self.pointer(), self.random.below(3), self.link());
        self.text += &match self.random.below(5) {
            0 => format!("  if ({a} && {a} == {b}) reach_error();\n"),
            1 => format!("  while ({a}) {{ if ({a}->data == {data}) reach_error(); {a} = {a}->{link}; }}\n"),
            2 => format!("  if ({a} && {a}->{link} && {a}->{link}->data == {data}) reach_error();\n"),
            3 => format!("  if ({a} && !{a}->next && {b}) reach_error();\n"),
            _ => format!("  while ({a} && {a} != {b}) {a} = {a}->next;\n  if ({a}) reach_error();\n"),
        };
        self.text += "  return 0;\n}\n";
        self.text
    }
}

fn loaded(text: &str, model: DataModel, property: &str) -> Program {
    let mut map = SourceMap::new();
    let mut options = Options::new(model);
    options.properties = vec![Symbol::new(property)];
    load_text("random.c", text, &options, &mut map).unwrap_or_else(|errors| {
        let shown: Vec<String> = errors.iter().map(|error| source::render(error, &map, false)).collect();
        panic!("{}\n{text}", shown.join("\n"))
    })
}

#[test]
fn proofs_are_right_and_pass_their_check() {
    let number = std::env::var("FATHOM_RANDOM_PROGRAMS").ok().and_then(|number| number.parse().ok()).unwrap_or(150);
    let (mut proved, mut refused, mut violated, mut unknown) = (0, 0, 0, 0);
    for seed in 0..number {
        let mut random = Random::new(seed);
        let frees = seed % 2 == 1;
        let text = Writer { random: &mut random, text: String::new(), frees }.program();
        let model = if seed % 3 == 0 { DataModel::Ilp32 } else { DataModel::Lp64 };
        let program = loaded(&text, model, if frees { "valid-deref" } else { "unreach-call" });
        let passed = Form::Objects.make(&program, 1, Executions::All).unwrap_or_else(|why| panic!("{why}\n{text}"));
        let mut run = Run::new(Some(PATIENCE), None, Cancel::new());
        match shapes::Shapes.check(&passed.program, &mut run) {
            Verdict::True(proof) => {
                proved += 1;
                let mut search = Run::new(Some(LOOKED_FOR), None, Cancel::new());
                let found = execution::search(&program, &mut search, &mut |_| {});
                assert!(!matches!(found, Ok(Shown::Violation(_))), "seed {seed}: wrongly proved\n{text}");
                let solver = || -> Box<dyn Smt> { Box::new(Blaster::new()) };
                let checked = certify::check_proof(&passed.program, &proof, &solver);
                // The check tries fewer ways to map the objects of a graph than the engine.
                refused += u64::from(checked.is_err());
            }
            Verdict::False(_) => panic!("the engine only proves"),
            Verdict::Unknown(_) => {
                let mut search = Run::new(Some(LOOKED_FOR), None, Cancel::new());
                match execution::search(&program, &mut search, &mut |_| {}) {
                    Ok(Shown::Violation(_)) => violated += 1,
                    _ => unknown += 1,
                }
            }
        }
    }
    eprintln!("{proved} proved, of which certify refuses {refused}, {violated} violated, {unknown} unknown");
    assert!(proved > number / 20 && violated > number / 20, "{proved} proved, {violated} violated");
    assert!(refused * 20 <= proved, "certify refuses {refused} of {proved} proofs");
}
