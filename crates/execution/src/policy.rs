//! Ways to choose what a program leaves open. Equal seeds make equal choices, so an execution can be made again.

use crate::constants::Constants;
use ir::interp::{At, Choices, Chosen, Random, Zeros};
use ir::{EdgeId, ProcId, Variable};
use rustc_hash::FxHashMap;
use term::{Function, SortKind, Term, Value, bits};

/// From where numbers are taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Numbers {
    Zero,
    /// Any, those at the edges of their sort more often.
    Any,
    /// From 0 to 9.
    Small,
    /// 0 or 1.
    Bit,
    /// What the program compares the variable with, or else any of its constants.
    Compared,
    /// The greatest and least of their sort.
    Extreme,
    /// Such as are read as text: letters, digits, signs, ends.
    Text,
    /// Such that what is read as text is the greatest or least number of a type.
    Numeral,
    /// For each variable in one of the other ways.
    Mixed,
}

/// In the order in which seeds take them.
const NUMBERS: [Numbers; 10] = [
    Numbers::Compared,
    Numbers::Any,
    Numbers::Small,
    Numbers::Mixed,
    Numbers::Text,
    Numbers::Mixed,
    Numbers::Extreme,
    Numbers::Numeral,
    Numbers::Bit,
    Numbers::Mixed,
];
/// Those that are mixed.
const SINGLE: [Numbers; 7] = [
    Numbers::Compared,
    Numbers::Compared,
    Numbers::Small,
    Numbers::Text,
    Numbers::Extreme,
    Numbers::Any,
    Numbers::Zero,
];
/// A variable gets another value once in so many times.
const CHANGES: [usize; 4] = [1, 1, 8, 100];
/// Another thread goes on once in so many times.
const SWITCHES: [usize; 5] = [3, 20, 1, 200, 4000];
/// What text is made of.
const TEXT: &[u8] = b"-\0a0=1.9 /x\\nn\n%\x7f\xff";
/// The greatest and least numbers of integer types, as text.
const NUMERALS: [&[u8]; 6] =
    [b"2147483647", b"-2147483648", b"9223372036854775807", b"-9223372036854775808", b"4294967295", b"127"];

/// A way to choose.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Policy {
    pub seed: u64,
    pub numbers: Numbers,
    changes: usize,
    switches: usize,
}

impl Policy {
    /// Zeros wherever a value is needed; threads run for as long as they can.
    pub const ZEROS: Policy = Policy { seed: 0, numbers: Numbers::Zero, changes: 1, switches: usize::MAX };

    /// The way of this number: the first ones differ most.
    pub fn numbered(seed: u64) -> Policy {
        let turn = seed as usize;
        Policy {
            seed,
            numbers: NUMBERS[turn % NUMBERS.len()],
            changes: CHANGES[turn / NUMBERS.len() % CHANGES.len()],
            switches: SWITCHES[turn % SWITCHES.len()],
        }
    }

    /// The number that is read as text.
    fn numeral(self) -> &'static [u8] {
        NUMERALS[self.seed as usize / NUMBERS.len() % NUMERALS.len()]
    }

    /// What it chooses in an execution.
    pub fn choices(self, constants: &Constants) -> Decider<'_> {
        Decider {
            policy: self,
            constants,
            random: term::random::Random::new(self.seed),
            any: Random::new(self.seed),
            last: FxHashMap::default(),
            kinds: FxHashMap::default(),
        }
    }
}

/// Chooses by a policy.
#[derive(Clone, Debug)]
pub struct Decider<'c> {
    policy: Policy,
    constants: &'c Constants,
    random: term::random::Random,
    /// For what is no number.
    any: Random,
    /// What variables got last.
    last: FxHashMap<Term, Value>,
    /// From where variables take their numbers, if that is mixed.
    kinds: FxHashMap<Term, Numbers>,
}

impl Decider<'_> {
    /// A number for a variable, as bits; `None` where any will do.
    fn number(&mut self, variable: Term, width: u32) -> Option<u128> {
        let random = &mut self.random;
        let numbers = match self.policy.numbers {
            Numbers::Mixed => *self.kinds.entry(variable).or_insert_with(|| *random.pick(&SINGLE)),
            Numbers::Numeral if width <= 8 => Numbers::Bit,
            Numbers::Numeral => *random.pick(&[Numbers::Bit, Numbers::Compared, Numbers::Numeral, Numbers::Numeral]),
            single => single,
        };
        Some(match numbers {
            Numbers::Zero => 0,
            Numbers::Any | Numbers::Mixed => return None,
            Numbers::Small => random.below(10) as u128,
            Numbers::Bit => random.below(2) as u128,
            Numbers::Compared => match (self.constants.of(variable), self.constants.all()) {
                ([], []) => return None,
                ([], all) => *random.pick(all),
                (known, _) if !random.once_in(16) => *random.pick(known),
                (_, all) => *random.pick(all),
            },
            Numbers::Extreme => {
                let greatest = bits::mask(width.saturating_sub(1).max(1));
                *random.pick(&[greatest, !greatest, u128::MAX, greatest - 1, 1, 0])
            }
            Numbers::Text => u128::from(*random.pick(TEXT)),
            // The length of a line that it is.
            Numbers::Numeral => (self.policy.numeral().len() + random.below(2)) as u128,
        })
    }

    fn value(&mut self, variable: &Variable, at: &At) -> Chosen<Value> {
        if self.policy.changes > 1
            && let Some(last) = self.last.get(&variable.term)
            && !self.random.once_in(self.policy.changes)
        {
            return Ok(last.clone());
        }
        let number = match variable.sort().kind() {
            SortKind::BitVec(width) => self.number(variable.term, *width).map(|number| Value::bv(*width, number)),
            SortKind::Int => self.number(variable.term, 64).map(|number| Value::Int((number as i128).into())),
            _ if self.policy.numbers == Numbers::Zero => Some(Zeros.havoc(variable, at)?),
            _ => None,
        };
        let value = match number {
            Some(value) => value,
            None => self.any.havoc(variable, at)?,
        };
        if self.policy.changes > 1 {
            self.last.insert(variable.term, value.clone());
        }
        Ok(value)
    }
}

impl Choices for Decider<'_> {
    fn initial(&mut self, variable: &Variable, at: &At) -> Chosen<Value> {
        self.value(variable, at)
    }

    fn havoc(&mut self, variable: &Variable, at: &At) -> Chosen<Value> {
        self.value(variable, at)
    }

    fn result(&mut self, _: ProcId, result: &Variable, at: &At) -> Chosen<Value> {
        self.value(result, at)
    }

    fn branch(&mut self, edges: &[EdgeId], at: &At) -> Chosen<usize> {
        if self.policy.numbers == Numbers::Zero { Zeros.branch(edges, at) } else { self.any.branch(edges, at) }
    }

    fn schedule(&mut self, runnable: &[u32], at: &At) -> Chosen<usize> {
        let same = runnable.iter().position(|thread| *thread == at.thread);
        match same {
            Some(same) if !self.random.once_in(self.policy.switches) => Ok(same),
            _ => self.any.schedule(runnable, at),
        }
    }

    fn bytes(&mut self, object: u32, offset: u64, bytes: &mut [u8]) -> Chosen<()> {
        let random = &mut self.random;
        match self.policy.numbers {
            Numbers::Zero => bytes.fill(0),
            Numbers::Small | Numbers::Bit => bytes.fill_with(|| random.below(2) as u8),
            Numbers::Numeral => {
                let numeral = self.policy.numeral();
                let rest = usize::try_from(offset).ok().and_then(|offset| numeral.get(offset..)).unwrap_or_default();
                let known = rest.iter().chain(std::iter::repeat(&0));
                bytes.iter_mut().zip(known).for_each(|(byte, known)| *byte = *known);
            }
            Numbers::Text | Numbers::Mixed => bytes.fill_with(|| *random.pick(TEXT)),
            _ => return self.any.bytes(object, offset, bytes),
        }
        Ok(())
    }

    fn pointer(&mut self, object: u32, offset: u64, width: u32) -> Chosen<Option<Value>> {
        match self.policy.numbers {
            Numbers::Zero => Ok(None),
            _ => self.any.pointer(object, offset, width),
        }
    }

    fn address(&mut self, _: u32, _: u64, suggested: u64) -> Chosen<u64> {
        Ok(suggested)
    }

    fn apply(&mut self, function: &Function, arguments: &[Value]) -> Chosen<Value> {
        match self.policy.numbers {
            Numbers::Zero => Zeros.apply(function, arguments),
            _ => self.any.apply(function, arguments),
        }
    }
}
