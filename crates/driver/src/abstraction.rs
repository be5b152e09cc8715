//! `fathom abstract`: the Boolean program that a program is for given predicates, as text.

use crate::load::print_bp_relations;
use crate::pipeline::{Executions, Form, instances_of_threads};
use engine::Run;
use ir::{Cfa, Op, ProcId, Procedure, Program};
use std::fmt::Write;
use term::Term;

/// The abstraction of a program, with comments that say what its variables mean. Without predicates, the comments list what
/// predicates can speak of.
pub fn abstraction(program: &Program, predicates: &str) -> Result<String, String> {
    let passed = Form::Threads
        .make(program, 1, Executions::All)
        .and_then(|threads| instances_of_threads(threads, &Default::default()));
    let passed = passed.map_err(|why| why.to_string())?;
    let given = parse(&passed.program, predicates)?;
    let abstraction =
        ::interleaving::abstraction(&passed.program, &given, &Run::unlimited()).map_err(|why| why.to_string())?;
    let mut text = String::new();
    for (global, predicate) in &abstraction.predicates {
        let _ = writeln!(text, "// {global}: {predicate}");
    }
    if given.is_empty() {
        for variable in &passed.program.globals {
            let _ = writeln!(text, "// {}: {}", variable.term, variable.sort());
        }
    }
    text.push_str(&print_bp_relations(&abstraction.program, &abstraction.choices)?);
    Ok(text)
}

/// Predicates, one on each line, as the textual form of programs writes terms. Empty lines and comments after `;` do not count.
fn parse(program: &Program, predicates: &str) -> Result<Vec<Term>, String> {
    // The lines are the assumptions of a program with the same variables.
    let first = program.procedure(program.entry);
    let nothing = ir::parse("procedure main() {\nentry -> exit\n}\n").map_err(|errors| format!("{errors:?}"))?;
    let Some(body) = nothing.procedures.first().and_then(|procedure| procedure.body.as_ref().ok()) else {
        return Err("no place for predicates".to_string());
    };
    let body = Ok(body.clone());
    let holder = Procedure { name: first.name, body, ..nothing.procedures[0].clone() };
    let alone = Program { procedures: vec![holder], entry: ProcId(0), properties: Vec::new(), ..program.clone() };
    let text = ir::print(&alone);
    let mut found = Vec::new();
    for (number, line) in predicates.lines().enumerate() {
        let line = line.split(';').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        let with = format!("{}  entry -> exit: assume {line}\n}}\n", text.trim_end().trim_end_matches('}'));
        let parsed = ir::parse(&with).map_err(|errors| match errors.first() {
            Some(error) => format!("predicate on line {}: {}", number + 1, error.message),
            None => format!("predicate on line {} is none", number + 1),
        })?;
        ir::validate(&parsed).map_err(|laws| format!("predicate on line {}: {}", number + 1, laws[0]))?;
        let edges = parsed.procedures.iter().flat_map(|procedure| procedure.body.iter().flat_map(Cfa::edges));
        found.extend(edges.filter_map(|(_, edge)| if let Op::Assume(term) = edge.op { Some(term) } else { None }));
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engines::named;
    use crate::pipeline::Forms;
    use engine::Verdict;
    use source::SourceMap;

    /// The text for a program in which `x` becomes arbitrary, and then larger, has a relation, and an error that needs `wrong` cannot
    /// be reached in it where it cannot in the program.
    fn check(wrong: &str, is_reached: bool) {
        let text = format!(
            "global x: int\nproperty P unreach-call \"\"\nprocedure main() {{\nlocation error error P\n\
             entry -> a: havoc x\na -> b: x := (+ x 2)\nb -> error: assume {wrong}\nb -> exit: assume (not {wrong})\n}}\n"
        );
        let program = ir::parse(&text).unwrap_or_else(|errors| panic!("{errors:?}"));
        let text = abstraction(&program, "(< x 3)\n(< x 5)\n").unwrap_or_else(|why| panic!("{why}"));
        assert!(text.contains(" constrain "), "{text}");
        let options = frontend_bp::Options::default();
        let printed = frontend_bp::load_text("t.bp", &text, &options, &mut SourceMap::new());
        let printed = printed.unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
        let entry = named("interleaving").next().unwrap_or_else(|| panic!("an engine"));
        let options = Default::default();
        let passed = entry.prepare(&printed, 1, Executions::All, &Forms::default(), &options);
        let passed = passed.unwrap_or_else(|why| panic!("{why}"));
        let verdict = (entry.make)(&options, &passed).check(&passed.program, &mut Run::unlimited());
        assert_eq!(matches!(verdict, Verdict::False(_)), is_reached, "{text}\n{verdict:?}");
    }

    #[test]
    fn relations_are_written_as_such() {
        check("(and (< x 3) (not (< x 5)))", false);
        check("(and (< x 3) (< x 5))", true);
        check("(and (not (< x 3)) (< x 5))", true);
        check("(not (< x 5))", true);
    }
}
