//! Octagons (Miné, "The Octagon Abstract Domain"): conjunctions of constraints ±x ±y <= c between integers.
//!
//! | paper | here |
//! |---|---|
//! | V+ = (x_1, -x_1, x_2, -x_2, ...) | *ends*: number 2k is x_k, number 2k + 1 is -x_k |
//! | difference-bound matrix m | [`Octagon::bounds`]: end j minus end i is at most `m[i][j]` |
//! | strong closure, for integers | [`Octagon::close`] |
//!
//! Invariant: matrices are coherent, that is, the two entries that say the same of two variables are equal.

/// A bound that bounds nothing: larger than any sum of two others.
const NONE: i128 = i128::MAX / 8;

/// An octagon.
#[derive(Clone, PartialEq, Debug)]
pub struct Octagon {
    variables: usize,
    bounds: Vec<i128>,
}

/// The positive end of a variable.
pub fn plus(variable: usize) -> usize {
    2 * variable
}

/// The negative end of a variable.
pub fn minus(variable: usize) -> usize {
    2 * variable + 1
}

impl Octagon {
    /// No constraints.
    pub fn all(variables: usize) -> Octagon {
        let ends = 2 * variables;
        let bounds = (0..ends * ends).map(|at| if at / ends == at % ends { 0 } else { NONE }).collect();
        Octagon { variables, bounds }
    }

    fn ends(&self) -> usize {
        2 * self.variables
    }

    fn at(&self, i: usize, j: usize) -> usize {
        i * self.ends() + j
    }

    /// The most that end j minus end i can be, if there is a most.
    pub fn bound(&self, i: usize, j: usize) -> Option<i128> {
        Some(self.bounds[self.at(i, j)]).filter(|bound| *bound < NONE)
    }

    /// Adds that end j minus end i is at most so much.
    pub fn constrain(&mut self, i: usize, j: usize, most: i128) {
        for at in [self.at(i, j), self.at(j ^ 1, i ^ 1)] {
            self.bounds[at] = self.bounds[at].min(most);
        }
    }

    /// Adds that a variable is between two numbers.
    pub fn constrain_range(&mut self, variable: usize, (least, most): (i128, i128)) {
        self.constrain(minus(variable), plus(variable), 2 * most);
        self.constrain(plus(variable), minus(variable), -2 * least);
    }

    /// The least and the greatest value of a variable, as far as they are bounded.
    pub fn range(&self, variable: usize) -> (Option<i128>, Option<i128>) {
        let most = self.bound(minus(variable), plus(variable)).map(|twice| twice.div_euclid(2));
        let least = self.bound(plus(variable), minus(variable)).map(|twice| -twice.div_euclid(2));
        (least, most)
    }

    /// Drops what is known of a variable. The octagon must be closed, or more is lost.
    pub fn forget(&mut self, variable: usize) {
        for end in [plus(variable), minus(variable)] {
            for other in (0..self.ends()).filter(|other| *other != end) {
                let (from, to) = (self.at(end, other), self.at(other, end));
                self.bounds[from] = NONE;
                self.bounds[to] = NONE;
            }
        }
    }

    /// Adds a number to a variable.
    pub fn shift(&mut self, variable: usize, by: i128) {
        for i in 0..self.ends() {
            for j in 0..self.ends() {
                let gain = |end: usize| match end {
                    end if end == plus(variable) => by,
                    end if end == minus(variable) => -by,
                    _ => 0,
                };
                let at = self.at(i, j);
                if self.bounds[at] < NONE {
                    self.bounds[at] += gain(j) - gain(i);
                }
            }
        }
    }

    /// Makes every constraint as tight as the others make it, for integers; `false` if no integers satisfy them.
    pub fn close(&mut self) -> bool {
        let ends = self.ends();
        for through in 0..ends {
            for i in 0..ends {
                let first = self.bounds[self.at(i, through)];
                if first >= NONE {
                    continue;
                }
                for j in 0..ends {
                    let second = self.bounds[self.at(through, j)];
                    let at = self.at(i, j);
                    if second < NONE {
                        self.bounds[at] = self.bounds[at].min(first + second);
                    }
                }
            }
        }
        for i in 0..ends {
            let at = self.at(i, i ^ 1);
            if self.bounds[at] < NONE {
                self.bounds[at] = 2 * self.bounds[at].div_euclid(2);
            }
        }
        for i in 0..ends {
            for j in 0..ends {
                let (one, other) = (self.bounds[self.at(i, i ^ 1)], self.bounds[self.at(j ^ 1, j)]);
                let at = self.at(i, j);
                if one < NONE && other < NONE {
                    self.bounds[at] = self.bounds[at].min((one + other) / 2);
                }
            }
        }
        let is_empty = |i: usize| self.bounds[self.at(i, i)] < 0;
        let is_void = |i: usize| {
            let (one, other) = (self.bounds[self.at(i, i ^ 1)], self.bounds[self.at(i ^ 1, i)]);
            one < NONE && other < NONE && one + other < 0
        };
        !(0..ends).any(|i| is_empty(i) || is_void(i))
    }

    /// What holds in at least one of two octagons, of which the second is closed.
    pub fn join(&self, other: &Octagon) -> Octagon {
        self.combine(other, |one, other| one.max(other))
    }

    /// Whether whatever the second octagon allows, the first does. The second must be closed.
    pub fn includes(&self, other: &Octagon) -> bool {
        self.bounds.iter().zip(&other.bounds).all(|(one, other)| one >= other)
    }

    /// An octagon that includes a later one; bounds that move go to the next threshold, or are dropped. It must not be closed
    /// before it is widened again, or widening might never end.
    pub fn widen(&self, later: &Octagon, thresholds: &[i128]) -> Octagon {
        let next = |bound: i128| thresholds.iter().copied().find(|threshold| *threshold >= bound).unwrap_or(NONE);
        self.combine(later, |now, later| if later > now { next(later) } else { now })
    }

    fn combine(&self, other: &Octagon, of: impl Fn(i128, i128) -> i128) -> Octagon {
        let bounds = self.bounds.iter().zip(&other.bounds).map(|(one, other)| of(*one, *other)).collect();
        Octagon { variables: self.variables, bounds }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use term::random::Random;

    const SPAN: i128 = 4;

    fn allows(octagon: &Octagon, values: [i128; 3]) -> bool {
        let end = |end: usize| if end.is_multiple_of(2) { values[end / 2] } else { -values[end / 2] };
        (0..6).all(|i| (0..6).all(|j| octagon.bound(i, j).is_none_or(|most| end(j) - end(i) <= most)))
    }

    fn points() -> impl Iterator<Item = [i128; 3]> {
        let side = move || -SPAN..=SPAN;
        side().flat_map(move |x| side().flat_map(move |y| side().map(move |z| [x, y, z])))
    }

    fn random(random: &mut Random) -> Octagon {
        let mut octagon = Octagon::all(3);
        (0..3).for_each(|variable| octagon.constrain_range(variable, (-SPAN, SPAN)));
        for _ in 0..random.below(4) {
            let (i, j) = (random.below(6), random.below(6));
            if i != j {
                octagon.constrain(i, j, random.below(9) as i128 - 4);
            }
        }
        octagon
    }

    /// Closing keeps the integers that are allowed, makes every bound one that is reached, and finds out where there are none.
    #[test]
    fn closed_octagons_are_tight() {
        let mut source = Random::new(3);
        for _ in 0..300 {
            let octagon = random(&mut source);
            let inside: Vec<[i128; 3]> = points().filter(|values| allows(&octagon, *values)).collect();
            let mut closed = octagon.clone();
            assert_eq!(closed.close(), !inside.is_empty(), "{octagon:?}");
            if inside.is_empty() {
                continue;
            }
            assert!(points().all(|values| allows(&closed, values) == allows(&octagon, values)), "{octagon:?}");
            let end =
                |values: &[i128; 3], end: usize| if end.is_multiple_of(2) { values[end / 2] } else { -values[end / 2] };
            for (i, j) in (0..6).flat_map(|i| (0..6).map(move |j| (i, j))) {
                let most = inside.iter().map(|values| end(values, j) - end(values, i)).max();
                assert_eq!(closed.bound(i, j), most, "{octagon:?} {i} {j}");
            }
        }
    }

    /// Operations allow what they must.
    #[test]
    fn operations_lose_no_integers() {
        let mut source = Random::new(5);
        for _ in 0..100 {
            let (mut one, mut other) = (random(&mut source), random(&mut source));
            if !one.close() || !other.close() {
                continue;
            }
            let joint = one.join(&other);
            let wide = one.widen(&joint, &[-1, 0, 1]);
            assert!(joint.includes(&one) && joint.includes(&other) && wide.includes(&joint));
            let (mut moved, mut free) = (one.clone(), one.clone());
            moved.shift(1, 2);
            free.forget(1);
            for values @ [x, y, z] in points().filter(|values| allows(&one, *values)) {
                assert!(allows(&moved, [x, y + 2, z]), "{one:?} {values:?}");
                assert!((-9..9).all(|y| allows(&free, [x, y, z])), "{one:?} {values:?}");
            }
        }
    }
}
