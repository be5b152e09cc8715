//! Which contradiction of an infeasible path is refined: "Sliced Path Prefixes: An Effective Method to Enable Refinement
//! Selection" and "Refinement Selection" (Beyer, Löwe, Wendler).
//!
//! A path that cannot be taken often contradicts itself more than once, and predicates that exclude one of the contradictions exclude the
//! path. A *sliced prefix* ends with a contradiction and has no other: conditions that contradicted what came before them have been taken out
//! on the way to it, but not what was assigned. So the path has as many sliced prefixes as it has contradictions in a row, and one can be chosen
//! whose predicates are better than those that a solver happens to find.
//!
//! Deviation: the papers slice a path of single operations. Here an operation is a block, and what is taken out of one is not its guard as
//! a whole but the conjuncts that the solver needed for the contradiction.

use crate::Search;
use crate::domains::Domains;
use crate::links;
use crate::options::Prefix;
use crate::refine::ask;
use blocks::path::PathFormula;
use pass::Guarded;
use rustc_hash::{FxHashMap, FxHashSet};
use solver::{Answer, Smt};
use term::build::implies;
use term::{Op, Sort, Term};

/// As many prefixes are compared.
const MOST: usize = 8;

/// The prefix of an infeasible path that is refined; `None` if that is the path as it is.
pub fn preferred(search: &mut Search<'_>, ops: &[&Guarded]) -> Option<Vec<Guarded>> {
    let most = match search.options.prefix {
        Prefix::Whole => return None,
        Prefix::Shortest => 1,
        Prefix::Longest | Prefix::Domain => MOST,
    };
    let mut prefixes = found(search, ops, most);
    match search.options.prefix {
        Prefix::Domain if prefixes.len() > 1 => {
            let domains = search.refiner.domains.take().unwrap_or_else(|| Domains::new(search.model));
            let weights: Vec<u64> = prefixes.iter().map(|prefix| weight(search, &domains, prefix)).collect();
            search.refiner.domains = Some(domains);
            // Of several with the same weight, the first is the shortest.
            let best = (0..prefixes.len()).min_by_key(|number| weights[*number])?;
            Some(prefixes.swap_remove(best))
        }
        _ => prefixes.pop(),
    }
}

/// All prefixes that are compared, the shortest first.
pub fn all(search: &mut Search<'_>, ops: &[&Guarded]) -> Vec<Vec<Guarded>> {
    found(search, ops, MOST)
}

fn found(search: &mut Search<'_>, ops: &[&Guarded], most: usize) -> Vec<Vec<Guarded>> {
    let mut prefixes = Vec::new();
    ask(search, &mut |smt| prefixes = sliced(smt, ops, most));
    search.contradictions += prefixes.len() as u64;
    prefixes
}

/// How much the variables weigh through which a prefix is infeasible; those that mattered before weigh nothing.
fn weight(search: &mut Search<'_>, domains: &Domains, prefix: &[Guarded]) -> u64 {
    let ops: Vec<&Guarded> = prefix.iter().collect();
    let all = links::all_variables(&ops);
    let needed = links::first_core(&mut |question| ask(search, question), &ops, &all);
    let Some(needed) = needed else { return u64::MAX };
    let needed: FxHashSet<Term> = needed.into_iter().flatten().collect();
    let known = &search.refiner.mattered;
    needed.iter().filter(|variable| !known.contains(variable)).map(|variable| domains.weight(*variable)).sum()
}

/// Sliced prefixes of an infeasible path, the shortest first.
fn sliced(smt: &mut dyn Smt, ops: &[&Guarded], most: usize) -> Vec<Vec<Guarded>> {
    let switched = Switched::new(ops);
    let formula = PathFormula::new(&switched.ops);
    formula.parts.iter().for_each(|part| smt.assert(*part));
    let mut taken_out: FxHashSet<Term> = FxHashSet::default();
    let mut prefixes = Vec::new();
    while prefixes.len() < most {
        let Some((last, needed)) = switched.first_contradiction(smt, &taken_out) else { break };
        let stays = |block: usize| {
            let switches = switched.switches[block].iter().zip(ops[block].conjuncts());
            switches.filter(|(switch, _)| !taken_out.contains(switch)).map(|(_, conjunct)| *conjunct).collect()
        };
        prefixes.push((0..=last).map(|block| ops[block].with_guard(stays(block))).collect());
        taken_out.extend(needed);
    }
    prefixes
}

/// A path with a switch for every conjunct of its guards.
struct Switched {
    ops: Vec<Guarded>,
    /// The switches of each block, as they are in the path's formula.
    switches: Vec<Vec<Term>>,
    blocks: FxHashMap<Term, usize>,
}

impl Switched {
    fn new(ops: &[&Guarded]) -> Switched {
        let (mut path, mut all, mut blocks) = (Vec::new(), Vec::new(), FxHashMap::default());
        for (block, op) in ops.iter().enumerate() {
            let name = |number: usize| format!(" switch {block} {number}");
            let names = (0..op.conjuncts().len()).map(name);
            let variable = |name: String| Op::Var { name: name.as_str().into(), instance: 0, sort: Sort::bool() };
            let plain: Vec<Term> = names.map(|name| Term::new(variable(name), &[])).collect();
            let guards = plain.iter().zip(op.conjuncts()).map(|(switch, conjunct)| implies(*switch, *conjunct));
            path.push(op.with_guard(guards.collect()));
            // No block changes a switch.
            let switches: Vec<Term> = plain.into_iter().map(PathFormula::initially).collect();
            blocks.extend(switches.iter().map(|switch| (*switch, block)));
            all.push(switches);
        }
        Switched { ops: path, switches: all, blocks }
    }

    /// The first block that contradicts those before it, and which of its switches that needs.
    fn first_contradiction(&self, smt: &mut dyn Smt, taken_out: &FxHashSet<Term>) -> Option<(usize, Vec<Term>)> {
        let mut found: Option<(usize, Vec<Term>)> = None;
        loop {
            let end = found.as_ref().map_or(self.switches.len(), |(last, _)| *last);
            let on = self.switches[..end].iter().flatten().copied().filter(|switch| !taken_out.contains(switch));
            if smt.check_assuming(&on.collect::<Vec<Term>>()) != Answer::Unsat {
                return found;
            }
            // A contradiction without any condition would be none of the path.
            let last = smt.core().iter().map(|switch| self.blocks[switch]).max()?;
            let there = smt.core().iter().copied().filter(|switch| self.blocks[switch] == last);
            found = Some((last, there.collect()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use blocks::model::{Encoding, Model};
    use engine::Shared;
    use ir::LocId;
    use solver::{Profile, Z3};

    /// A path of single operations: its sliced prefixes, each with the numbers of the blocks that have guards.
    fn check(path: &[&str], expected: &[(usize, &[usize])]) {
        let edges = path.iter().enumerate().map(|(number, op)| format!("L{number} -> L{}: {op}\n", number + 1));
        let edges: String = edges.collect();
        let text =
            format!("program \"t\" lp64 entry main\nprocedure main() {{\nlocal x: int\nlocal y: int\n{edges}}}\n");
        let program = ir::parse(&text).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
        let model = Model::new(&program, Encoding::Single, &Shared::default()).unwrap_or_else(|why| panic!("{why}"));
        let mut here: LocId = model.cfa.entry();
        let mut ops = Vec::new();
        while let Some(block) = model.outgoing(here).first() {
            ops.extend(&block.op);
            here = block.to();
        }
        assert_eq!(ops.len(), path.len(), "{text}");
        let prefixes = sliced(&mut Z3::new(Profile::Incremental), &ops, MOST);
        let guarded = |prefix: &Vec<Guarded>| {
            let guards = (0..prefix.len()).filter(|block| !prefix[*block].conjuncts().is_empty());
            (prefix.len(), guards.collect::<Vec<usize>>())
        };
        let found: Vec<(usize, Vec<usize>)> = prefixes.iter().map(guarded).collect();
        let expected: Vec<(usize, Vec<usize>)> = expected.iter().map(|(n, guards)| (*n, guards.to_vec())).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn a_prefix_ends_with_its_only_contradiction() {
        let [start, count] = ["x := 0", "y := (+ x 1)"];
        check(&[start, count, "assume (< 0 x)"], &[(3, &[2])]);
        check(&[start, count, "assume (< 0 x)", "assume (= y 5)"], &[(3, &[2]), (4, &[3])]);
        check(&[start, count, "assume (< 0 y)", "assume (< 0 x)", "assume (= y 5)"], &[(4, &[2, 3]), (5, &[2, 4])]);
        // What was assigned stays, also behind a condition that was taken out.
        check(
            &[start, "assume (< 0 x)", "x := (+ x 1)", "assume (= x 1)", "assume (= x 3)"],
            &[(2, &[1]), (5, &[3, 4])],
        );
        check(&[start, count, "assume (< 0 y)"], &[]);
    }
}
