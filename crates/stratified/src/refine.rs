//! Refinement of variable abstraction: which globals must be tracked besides, so that a path that cannot be taken is refuted
//! (Section 3 of the paper).
//!
//! | paper | here |
//! |---|---|
//! | G, T, D | all candidates, those that are tracked, those that need not be |
//! | check(Abstract(P, T)) | [`Oracle::is_correct`] |
//! | STORM's algorithm | [`storm`]: leaves out one variable after the other |
//! | Algorithm 1, `hrefine` | [`hierarchical`] with an oracle that makes the path's formula anew |
//! | Algorithm 2, `vcrefine` | [`hierarchical`] with an oracle that asks one formula under assumptions |
//!
//! Theorem 1: the answer refutes the path, and no part of it with T does. The number of questions is O(k log n) for k
//! variables of n, and at most 2n.

use engine::Reason;
use std::collections::BTreeSet;
use term::Term;

/// How to refine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refinement {
    /// STORM's: one question for each variable.
    Storm,
    /// Algorithm 1: divide and conquer; each question makes its formula.
    Divide,
    /// Algorithm 2: divide and conquer over one formula.
    OneFormula,
}

/// Answers questions about a path.
pub trait Oracle {
    /// Whether the path cannot be taken if these variables are tracked.
    fn is_correct(&mut self, tracked: &BTreeSet<Term>) -> Result<bool, Reason>;
}

/// A minimal set of variables with which the path is refuted, and which has all that are tracked already. It must be refuted with
/// all candidates.
pub fn refine(
    refinement: Refinement,
    oracle: &mut dyn Oracle,
    tracked: &BTreeSet<Term>,
    candidates: &[Term],
) -> Result<BTreeSet<Term>, Reason> {
    match refinement {
        Refinement::Storm => storm(oracle, tracked, candidates),
        Refinement::Divide | Refinement::OneFormula => hierarchical(oracle, tracked.clone(), candidates),
    }
}

/// Leaves out what is not needed, one variable after the other.
fn storm(oracle: &mut dyn Oracle, tracked: &BTreeSet<Term>, candidates: &[Term]) -> Result<BTreeSet<Term>, Reason> {
    let mut kept: BTreeSet<Term> = tracked.iter().chain(candidates).copied().collect();
    for candidate in candidates {
        kept.remove(candidate);
        if tracked.contains(candidate) || !oracle.is_correct(&kept)? {
            kept.insert(*candidate);
        }
    }
    Ok(kept)
}

/// `hrefine(T, D, P)`, where `undecided` is G - (T ∪ D).
fn hierarchical(
    oracle: &mut dyn Oracle,
    tracked: BTreeSet<Term>,
    undecided: &[Term],
) -> Result<BTreeSet<Term>, Reason> {
    if undecided.is_empty() || oracle.is_correct(&tracked)? {
        return Ok(tracked);
    }
    if let [only] = undecided {
        return Ok(tracked.into_iter().chain([*only]).collect());
    }
    let (first, second) = undecided.split_at(undecided.len() / 2);
    let with_second = tracked.iter().chain(second).copied().collect();
    let found = hierarchical(oracle, with_second, first)?;
    let needed = first.iter().copied().filter(|variable| found.contains(variable));
    hierarchical(oracle, tracked.into_iter().chain(needed).collect(), second)
}

#[cfg(test)]
mod tests {
    use super::*;
    use term::random::Random;
    use term::{Sort, Term};

    /// A path that is refuted by each of some sets of variables.
    struct Sets {
        refuting: Vec<BTreeSet<Term>>,
        questions: u32,
    }

    impl Oracle for Sets {
        fn is_correct(&mut self, tracked: &BTreeSet<Term>) -> Result<bool, Reason> {
            self.questions += 1;
            Ok(self.refuting.iter().any(|set| set.is_subset(tracked)))
        }
    }

    fn variables(n: usize) -> Vec<Term> {
        (0..n).map(|i| Term::var(format!("g{i}").as_str(), Sort::int())).collect()
    }

    /// Theorem 1, on random paths.
    #[test]
    fn answers_refute_the_path_and_are_minimal() {
        let mut random = Random::new(7);
        for _ in 0..400 {
            let all = variables(1 + random.below(24));
            let mut some = |most: usize| -> BTreeSet<Term> {
                (0..random.below(most)).map(|_| all[random.below(all.len())]).collect()
            };
            let refuting: Vec<BTreeSet<Term>> = (0..4).map(|_| some(6)).collect();
            let tracked = some(4);
            let candidates: Vec<Term> = all.iter().copied().filter(|v| !tracked.contains(v)).collect();
            for refinement in [Refinement::Storm, Refinement::Divide, Refinement::OneFormula] {
                let mut oracle = Sets { refuting: refuting.clone(), questions: 0 };
                let answer = refine(refinement, &mut oracle, &tracked, &candidates).expect("an answer");
                assert!(tracked.is_subset(&answer));
                assert!(oracle.questions as usize <= 2 * candidates.len().max(1));
                assert_eq!(oracle.is_correct(&answer), Ok(true), "{refinement:?}");
                for variable in answer.difference(&tracked) {
                    let mut less = answer.clone();
                    less.remove(variable);
                    assert_eq!(oracle.is_correct(&less), Ok(false), "{refinement:?} could do without {variable}");
                }
            }
        }
    }

    /// Lemma 1: k variables of n take O(k log n) questions, where STORM's algorithm takes n.
    #[test]
    fn few_variables_take_few_questions() {
        for (n, k) in [(64, 1), (1024, 1), (1024, 2), (4096, 3)] {
            let all = variables(n);
            let needed: BTreeSet<Term> = (0..k).map(|i| all[(i * 389 + 17) % n]).collect();
            let count = |refinement| {
                let mut oracle = Sets { refuting: vec![needed.clone()], questions: 0 };
                assert_eq!(refine(refinement, &mut oracle, &BTreeSet::new(), &all), Ok(needed.clone()));
                oracle.questions
            };
            let logarithm = n.ilog2();
            assert!(
                count(Refinement::OneFormula) <= 2 * k as u32 * (logarithm + 1),
                "{n} variables, {k} of them needed"
            );
            assert_eq!(count(Refinement::Divide), count(Refinement::OneFormula));
            assert_eq!(count(Refinement::Storm) as usize, n);
        }
    }
}
