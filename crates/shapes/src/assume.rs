//! Conditions that are assumed: the states in which they hold.

use crate::evaluate::bounds;
use crate::ranges;
use crate::state::{State, is_symbol, symbols};
use engine::shape::count;
use term::{Op, SortKind, Term, build};

impl State {
    /// The states among this one where a condition over symbols holds, or does not. They may have others, too.
    pub fn assume(mut self, condition: Term, holds: bool) -> Vec<State> {
        let condition = self.settle(condition);
        match (condition.op(), condition.args()) {
            (Op::Const(_), _) if condition.as_bool() == Some(holds) => vec![self],
            (Op::Const(_), _) => Vec::new(),
            (Op::Not, [a]) => self.assume(*a, !holds),
            (Op::And, parts) if holds => self.assume_all(parts, true),
            (Op::Or, parts) if !holds => self.assume_all(parts, false),
            (Op::And | Op::Or, parts) => {
                // The first part that is so, and those before it are not.
                let (mut found, mut rest) = (Vec::new(), vec![self]);
                for part in parts {
                    found.extend(rest.iter().cloned().flat_map(|state| state.assume(*part, holds)));
                    rest = rest.into_iter().flat_map(|state| state.assume(*part, !holds)).collect();
                }
                found
            }
            (Op::Ite, [which, then, other]) => {
                let (yes, no) = (self.clone().assume(*which, true), self.assume(*which, false));
                let yes = yes.into_iter().flat_map(|state| state.assume(*then, holds));
                yes.chain(no.into_iter().flat_map(|state| state.assume(*other, holds))).collect()
            }
            (Op::Var { .. }, _) => match self.put(condition, build::bool(holds)) {
                true => vec![self],
                false => Vec::new(),
            },
            (Op::Eq, [a, b]) if matches!(a.sort().kind(), SortKind::Bool) => {
                let (yes, no) = (self.clone().assume(*a, true), self.assume(*a, false));
                let yes = yes.into_iter().flat_map(|state| state.assume(*b, holds));
                yes.chain(no.into_iter().flat_map(|state| state.assume(*b, !holds))).collect()
            }
            _ => {
                let is_possible = match (condition.op(), condition.args()) {
                    (Op::Eq, [a, b]) if holds => self.equate(*a, *b),
                    (Op::Eq, [a, b]) => self.differ(*a, *b),
                    (Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle, [a, b]) => {
                        self.order(condition.op(), *a, *b, holds)
                    }
                    _ => true,
                };
                self.cases.insert(condition, holds);
                if is_possible { vec![self] } else { Vec::new() }
            }
        }
    }

    fn assume_all(self, parts: &[Term], holds: bool) -> Vec<State> {
        let mut states = vec![self];
        for part in parts {
            states = states.into_iter().flat_map(|state| state.assume(*part, holds)).collect();
        }
        states
    }

    /// Two values are equal. Whether that can be.
    fn equate(&mut self, a: Term, b: Term) -> bool {
        let is_free = |state: &State, a: Term| is_symbol(a) && a != count() && !state.is_object(a);
        for (a, b) in [(a, b), (b, a)] {
            if is_free(self, a) && !symbols(b).any(|symbol| symbol == a) {
                return self.put(a, b);
            }
        }
        match (self.ranges(a), self.ranges(b)) {
            (Some(of_a), Some(of_b)) => {
                let common = ranges::intersection(&of_a, &of_b);
                self.restrict(a, &common) && self.restrict(self.settle(b), &common)
            }
            _ => true,
        }
    }

    /// Two values are different. Whether that can be.
    fn differ(&mut self, a: Term, b: Term) -> bool {
        let Some(width) = a.sort().bv_width() else { return true };
        let value = |state: &State, a: Term| ranges::only(&state.ranges(a)?);
        for (a, b) in [(a, b), (b, a)] {
            if let Some(number) = value(self, b) {
                return self.restrict(a, &ranges::complement(&vec![(number, number)], width));
            }
        }
        true
    }

    /// One value is below the other, or not. Whether that can be.
    fn order(&mut self, op: &Op, a: Term, b: Term, holds: bool) -> bool {
        let Some(width) = a.sort().bv_width() else { return true };
        let is_signed = matches!(op, Op::BvSlt | Op::BvSle);
        let turned = |ranges| if is_signed { ranges::signed(&ranges, width) } else { ranges };
        // a < b, or a <= b; what does not hold is b <= a, or b < a.
        let is_strict = matches!(op, Op::BvUlt | Op::BvSlt) == holds;
        let (less, more) = if holds { (a, b) } else { (b, a) };
        let most = self.ranges(more).map(turned).and_then(|ranges| bounds(&ranges));
        let Some((_, most)) = most else { return true };
        let Some(most) = most.checked_sub(is_strict.into()) else { return false };
        if !self.restrict(less, &turned(vec![(0, most)])) {
            return false;
        }
        let (less, more) = (self.settle(less), self.settle(more));
        let least = self.ranges(less).map(turned).and_then(|ranges| bounds(&ranges));
        let Some((least, _)) = least else { return true };
        let mask = term::Bv::mask(width);
        let Some(least) = least.checked_add(is_strict.into()).filter(|least| *least <= mask) else { return false };
        self.restrict(more, &turned(vec![(least, mask)]))
    }
}
