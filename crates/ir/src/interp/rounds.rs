//! Skips rounds of loops.
//!
//! Where a run is in a loop whose next rounds all take the same way, and add the same amount to each register every time, what
//! many rounds do is computed at once: a loop that counts to thousands of millions takes no time.
//!
//! In round k a register holds `at + k * step`, a whole number: a [`Line`]. One round is executed on lines. Where an
//! instruction does something else from some round on, because a condition changes or a sum wraps, there are fewer
//! rounds; an instruction whose result is no line ends the attempt. What the lines were supposed to be is right if each is,
//! at the end of round k, what it was said to be at the start of round k + 1.
//!
//! Invariant: a run is the same as without this in everything but the time that it takes.

use super::code::{Body, CallSite, Candidate, Code, Exit, Operand, Pc};
use super::instr::Instr;
use super::layout::{Home, Reg};
use super::machine::Machine;
use super::word;
use rustc_hash::{FxHashMap, FxHashSet};

/// How many instructions a round has at most.
const LENGTH: usize = 1_000;
/// How many times a round may go through the loop, so that what alternates does the same in each round.
const TIMES: usize = 4;
/// How many rounds, at least, are worth to be skipped.
const LEAST: u64 = 16;
/// No run becomes longer than this by skipping.
const LONGEST: u64 = 1 << 62;

impl Machine<'_> {
    /// Skips as many rounds of the loop that the run is in as can be told, but no edge from `until` on. Whether it did.
    pub fn skip_rounds(&mut self, code: &Code, until: u64) -> bool {
        self.threads.len() == 1 && (1..=TIMES).any(|times| self.skip(code, times, until.min(LONGEST)).is_some())
    }

    fn skip(&mut self, code: &Code, times: usize, until: u64) -> Option<()> {
        let mut once = Round::new(self, code, FxHashMap::default(), 1);
        once.execute(times)?;
        let starts = once.guess()?;
        let rounds = until.checked_sub(self.steps)? / once.edges;
        let mut all = Round::new(self, code, starts, rounds);
        all.execute(times)?;
        if !all.is_closed() || all.rounds < LEAST {
            return None;
        }
        let Round { rounds, edges, calls, deepest, lines, .. } = all;
        let slots = lines.into_iter().map(|(register, line)| Some((register, line.slot(rounds - 1)?)));
        for (register, slot) in slots.collect::<Option<Vec<_>>>()? {
            self.regs[register] = slot;
        }
        self.statistics.calls += rounds * calls;
        self.statistics.deepest_stack = self.statistics.deepest_stack.max(deepest);
        self.steps += rounds * edges;
        self.statistics.skipped += rounds * edges;
        Some(())
    }
}

/// What a register holds, by the number of the round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Line {
    at: i128,
    step: i128,
}

impl Line {
    fn constant(at: i128) -> Line {
        Line { at, step: 0 }
    }

    fn of_slot(slot: u128) -> Option<Line> {
        i128::try_from(slot).ok().map(Line::constant)
    }

    /// The slot's contents in a round.
    fn slot(self, round: u64) -> Option<u128> {
        let value = self.step.checked_mul(round.into())?.checked_add(self.at)?;
        u128::try_from(value).ok()
    }

    fn plus(self, other: Line) -> Option<Line> {
        Some(Line { at: self.at.checked_add(other.at)?, step: self.step.checked_add(other.step)? })
    }

    fn minus(self, other: Line) -> Option<Line> {
        Some(Line { at: self.at.checked_sub(other.at)?, step: self.step.checked_sub(other.step)? })
    }

    fn times(self, factor: i128) -> Option<Line> {
        Some(Line { at: self.at.checked_mul(factor)?, step: self.step.checked_mul(factor)? })
    }

    fn next(self) -> Option<Line> {
        self.plus(Line::constant(self.step))
    }

    fn as_constant(self) -> Option<i128> {
        (self.step == 0).then_some(self.at)
    }
}

/// A procedure that was called in the round.
struct Called {
    site: u32,
    /// Where the caller's registers start.
    base: usize,
}

/// The execution of one round, for many at once. A method that says `None` ends the attempt.
struct Round<'m, 'r, 'c> {
    machine: &'m Machine<'r>,
    code: &'c Code,
    /// What registers hold when the round starts; others never change.
    starts: FxHashMap<usize, Line>,
    /// How many rounds are as this one.
    rounds: u64,
    /// The registers that were assigned.
    lines: FxHashMap<usize, Line>,
    /// Those that were read before.
    read: FxHashSet<usize>,
    pc: Pc,
    base: usize,
    called: Vec<Called>,
    /// Where forced thunks go on.
    returns: Vec<Pc>,
    edges: u64,
    calls: u64,
    deepest: usize,
}

impl<'m, 'r, 'c> Round<'m, 'r, 'c> {
    fn new(machine: &'m Machine<'r>, code: &'c Code, starts: FxHashMap<usize, Line>, rounds: u64) -> Round<'m, 'r, 'c> {
        Round {
            machine,
            code,
            starts,
            rounds,
            lines: FxHashMap::default(),
            read: FxHashSet::default(),
            pc: machine.pc,
            base: machine.base,
            called: Vec::new(),
            returns: Vec::new(),
            edges: 0,
            calls: 0,
            deepest: 0,
        }
    }

    /// Executes until the run is so many times where it was.
    fn execute(&mut self, times: usize) -> Option<()> {
        let mut been = 0;
        for _ in 0..LENGTH {
            let instr = self.code.instrs[self.pc as usize];
            self.pc += 1;
            self.step(instr)?;
            let is_back = self.pc == self.machine.pc && self.called.is_empty() && self.returns.is_empty();
            been += usize::from(is_back && self.edges > 0);
            if been == times {
                return Some(());
            }
        }
        None
    }

    /// What registers might hold when rounds start, after one round. There must be one that changes.
    fn guess(&self) -> Option<FxHashMap<usize, Line>> {
        let mut starts = FxHashMap::default();
        for (register, after) in self.lines.iter().filter(|(register, _)| self.read.contains(register)) {
            let before = Line::of_slot(self.machine.regs[*register])?;
            starts.insert(*register, Line { at: before.at, step: after.minus(before)?.at });
        }
        starts.values().any(|line| line.step != 0).then_some(starts)
    }

    /// Whether registers hold at the end what they are said to hold at the start of the next round.
    fn is_closed(&self) -> bool {
        let mut assigned = self.lines.iter().filter(|(register, _)| self.read.contains(register));
        assigned.all(|(register, line)| self.start(*register).and_then(Line::next) == Some(*line))
    }

    fn start(&self, register: usize) -> Option<Line> {
        match self.starts.get(&register) {
            Some(line) => Some(*line),
            None => Line::of_slot(*self.machine.regs.get(register)?),
        }
    }

    fn get(&mut self, register: Reg) -> Option<Line> {
        let register = register.index(self.base);
        if let Some(line) = self.lines.get(&register) {
            return Some(*line);
        }
        self.read.insert(register);
        self.start(register)
    }

    fn set(&mut self, register: Reg, line: Line) -> Option<()> {
        self.lines.insert(register.index(self.base), line);
        Some(())
    }

    /// Leaves only the rounds before the first in which the line is not between two numbers; in this one it is.
    fn keep(&mut self, line: Line, low: i128, high: i128) {
        let way = match line.step {
            0 => return,
            1.. => high.saturating_sub(line.at),
            _ => line.at.saturating_sub(low),
        };
        let rounds = way.unsigned_abs() / line.step.unsigned_abs();
        self.rounds = self.rounds.min(u64::try_from(rounds).map_or(u64::MAX, |rounds| rounds.saturating_add(1)));
    }

    /// The remainder of a division by a positive number, which is not negative.
    fn remainder(&mut self, line: Line, divisor: i128) -> Line {
        if line.step % divisor == 0 {
            return Line::constant(line.at.rem_euclid(divisor));
        }
        let rest = Line { at: line.at.rem_euclid(divisor), step: line.step };
        self.keep(rest, 0, divisor - 1);
        rest
    }

    /// The quotient, rounded down.
    fn quotient(&mut self, line: Line, divisor: i128) -> Line {
        let quotient = line.at.div_euclid(divisor);
        if line.step % divisor == 0 {
            return Line { at: quotient, step: line.step / divisor };
        }
        self.remainder(line, divisor);
        Line::constant(quotient)
    }

    /// The last bits of a line.
    fn wrap(&mut self, line: Line, width: u8) -> Option<Line> {
        Some(self.remainder(line, power(width)?))
    }

    /// The line's values as signed numbers.
    fn signed(&mut self, line: Line, width: u8) -> Option<Line> {
        let half = power(width - 1)?;
        if line.at < half {
            self.keep(line, 0, half - 1);
            return Some(line);
        }
        self.keep(line, half, power(width)? - 1);
        line.minus(Line::constant(power(width)?))
    }

    /// How two lines compare, in all rounds that are left.
    fn compare(&mut self, a: Line, b: Line, test: Test) -> Option<bool> {
        let difference = a.minus(b)?;
        let holds = match test {
            Test::Less => difference.at < 0,
            Test::AtMost => difference.at <= 0,
            Test::Equal => difference.at == 0,
        };
        let (low, high) = match (test, holds) {
            (Test::Less, true) => (i128::MIN, -1),
            (Test::Less, false) => (0, i128::MAX),
            (Test::AtMost, true) => (i128::MIN, 0),
            (Test::AtMost, false) => (1, i128::MAX),
            (Test::Equal, true) => (0, 0),
            (Test::Equal, false) if difference.at < 0 => (i128::MIN, -1),
            (Test::Equal, false) => (1, i128::MAX),
        };
        self.keep(difference, low, high);
        Some(holds)
    }

    fn step(&mut self, instr: Instr) -> Option<()> {
        match instr {
            Instr::Const { d, k } => self.set(d, Line::of_slot(self.code.constants[k as usize])?),
            Instr::Move { d, a } => {
                let line = self.get(a)?;
                self.set(d, line)
            }
            Instr::MoveIf { d, c, a } => {
                let line = if self.holds(c)? { self.get(a)? } else { self.get(d)? };
                self.set(d, line)
            }

            Instr::Add { w, d, a, b } => self.linear(w, d, a, b, Line::plus),
            Instr::Sub { w, d, a, b } => self.linear(w, d, a, b, Line::minus),
            Instr::Mul { w, d, a, b } => self.linear(w, d, a, b, |a, b| match (a.as_constant(), b.as_constant()) {
                (_, Some(factor)) => a.times(factor),
                (Some(factor), None) => b.times(factor),
                (None, None) => None,
            }),
            Instr::Shl { w, d, a, b } => self.linear(w, d, a, b, |a, b| match b.as_constant()? {
                by if by < w.into() => a.times(power(by as u8)?),
                _ => Some(Line::constant(0)),
            }),
            Instr::Neg { w, d, a } => self.linear(w, d, a, a, |a, _| a.times(-1)),
            Instr::Not { w, d, a } => self.linear(w, d, a, a, |a, _| Line::constant(-1).minus(a)),
            Instr::Udiv { w, d, a, b } => self.divide(d, a, b, Round::quotient, |a, b| word::udiv(w, a, b)),
            Instr::Urem { d, a, b } => self.divide(d, a, b, Round::remainder, word::urem),
            Instr::Sdiv { w, d, a, b } => self.divide_signed(w, d, a, b, Round::quotient, word::sdiv),
            Instr::Srem { w, d, a, b } => self.divide_signed(w, d, a, b, Round::remainder, word::srem),
            Instr::Lshr { w, d, a, b } => match self.get(b)?.as_constant()? {
                by if by < w.into() => {
                    let line = self.get(a)?;
                    let line = self.quotient(line, power(by as u8)?);
                    self.set(d, line)
                }
                _ => self.set(d, Line::constant(0)),
            },
            Instr::Ashr { w, d, a, b } => self.constant(d, a, b, |a, b| word::ashr(w, a, b)),

            Instr::And { d, a, b } => {
                let (x, y) = (self.get(a)?, self.get(b)?);
                // All bits below some, which are those of a remainder.
                let low = |mask: Line| mask.as_constant().filter(|mask| *mask < i128::MAX && mask & (mask + 1) == 0);
                let line = match (low(x), low(y)) {
                    (_, Some(mask)) => self.remainder(x, mask + 1),
                    (Some(mask), None) => self.remainder(y, mask + 1),
                    (None, None) => Line::constant(x.as_constant()? & y.as_constant()?),
                };
                self.set(d, line)
            }
            Instr::Or { d, a, b } => {
                let bits = self.get(a)?.as_constant()? | self.get(b)?.as_constant()?;
                self.set(d, Line::constant(bits))
            }
            Instr::Xor { d, a, b } => {
                let bits = self.get(a)?.as_constant()? ^ self.get(b)?.as_constant()?;
                self.set(d, Line::constant(bits))
            }
            Instr::Eq { d, a, b } => self.test(d, a, b, Test::Equal, None),
            Instr::Ult { d, a, b } => self.test(d, a, b, Test::Less, None),
            Instr::Ule { d, a, b } => self.test(d, a, b, Test::AtMost, None),
            Instr::Slt { w, d, a, b } => self.test(d, a, b, Test::Less, Some(w)),
            Instr::Sle { w, d, a, b } => self.test(d, a, b, Test::AtMost, Some(w)),
            Instr::Extract { low, w, d, a } => {
                let line = self.get(a)?;
                let line = self.quotient(line, power(low)?);
                let line = self.remainder(line, power(w)?);
                self.set(d, line)
            }
            Instr::SignExtend { from, to, d, a } => {
                let line = self.get(a)?;
                let line = self.signed(line, from)?;
                self.linear_result(to, d, line)
            }
            Instr::Concat { low, d, a, b } => {
                let (a, b) = (self.get(a)?, self.get(b)?);
                self.set(d, a.times(power(low)?)?.plus(b)?)
            }

            Instr::Jump { to } => self.go(to),
            Instr::JumpIf { c, to } => match self.holds(c)? {
                true => self.go(to),
                false => Some(()),
            },
            Instr::JumpUnless { c, to } => match self.holds(c)? {
                true => Some(()),
                false => self.go(to),
            },
            Instr::Force { flag, to } => match self.holds(flag)? {
                true => Some(()),
                false => {
                    self.returns.push(self.pc);
                    self.go(to)
                }
            },
            Instr::Back => {
                let to = self.returns.pop()?;
                self.go(to)
            }

            Instr::Done { to, .. } => self.edge(to),
            Instr::Guard { c } => self.holds(c)?.then_some(()),
            Instr::Branch { c, exits } => {
                let holds = self.holds(c)?;
                self.branch(holds, exits)
            }
            Instr::BranchEq { a, b, exits } => self.branch_if(a, b, Test::Equal, None, exits),
            Instr::BranchUlt { a, b, exits } => self.branch_if(a, b, Test::Less, None, exits),
            Instr::BranchUle { a, b, exits } => self.branch_if(a, b, Test::AtMost, None, exits),
            Instr::BranchSlt { w, a, b, exits } => self.branch_if(a, b, Test::Less, Some(w), exits),
            Instr::BranchSle { w, a, b, exits } => self.branch_if(a, b, Test::AtMost, Some(w), exits),
            Instr::Switch { a, k } => {
                let value = self.get(a)?.as_constant()?;
                let switch = &self.code.switches[k as usize];
                let case = switch.cases.get(&u128::try_from(value).ok()?).or(switch.other.as_ref());
                self.edge(case?.to)
            }
            Instr::Choose { k } => self.choose(&self.code.choices[k as usize].edges),
            Instr::Call { k } => self.enter(k),
            Instr::Return => self.leave(),
            _ => None,
        }
    }

    fn go(&mut self, to: Pc) -> Option<()> {
        self.pc = to;
        Some(())
    }

    fn edge(&mut self, to: Pc) -> Option<()> {
        self.edges += 1;
        self.go(to)
    }

    fn branch(&mut self, holds: bool, exits: u32) -> Option<()> {
        let Exit { to, .. } = self.code.exits[exits as usize + usize::from(!holds)];
        self.edge(to)
    }

    fn branch_if(&mut self, a: Reg, b: Reg, test: Test, signed: Option<u8>, exits: u32) -> Option<()> {
        let holds = self.compare_registers(a, b, test, signed)?;
        self.branch(holds, exits)
    }

    /// Whether a condition holds, in all rounds that are left.
    fn holds(&mut self, condition: Reg) -> Option<bool> {
        let line = self.get(condition)?;
        self.compare(line, Line::constant(0), Test::Equal).map(|is_zero| !is_zero)
    }

    fn compare_registers(&mut self, a: Reg, b: Reg, test: Test, signed: Option<u8>) -> Option<bool> {
        let (mut a, mut b) = (self.get(a)?, self.get(b)?);
        if let Some(width) = signed {
            (a, b) = (self.signed(a, width)?, self.signed(b, width)?);
        }
        self.compare(a, b, test)
    }

    fn test(&mut self, d: Reg, a: Reg, b: Reg, test: Test, signed: Option<u8>) -> Option<()> {
        let holds = self.compare_registers(a, b, test, signed)?;
        self.set(d, Line::constant(holds.into()))
    }

    /// An operation that makes a line of lines, and takes the last bits.
    fn linear(&mut self, w: u8, d: Reg, a: Reg, b: Reg, op: impl FnOnce(Line, Line) -> Option<Line>) -> Option<()> {
        let (a, b) = (self.get(a)?, self.get(b)?);
        self.linear_result(w, d, op(a, b)?)
    }

    fn linear_result(&mut self, w: u8, d: Reg, line: Line) -> Option<()> {
        let line = self.wrap(line, w)?;
        self.set(d, line)
    }

    /// A division without signs; `exact` is what it gives where nothing changes.
    fn divide(
        &mut self,
        d: Reg,
        a: Reg,
        b: Reg,
        part: fn(&mut Self, Line, i128) -> Line,
        exact: impl FnOnce(u64, u64) -> u64,
    ) -> Option<()> {
        let (line, divisor) = (self.get(a)?, self.get(b)?.as_constant()?);
        if divisor == 0 {
            return self.constant(d, a, b, exact);
        }
        let line = part(self, line, divisor);
        self.set(d, line)
    }

    /// A division with signs: of what is not negative, or where nothing changes.
    fn divide_signed(
        &mut self,
        w: u8,
        d: Reg,
        a: Reg,
        b: Reg,
        part: fn(&mut Self, Line, i128) -> Line,
        exact: fn(u8, u64, u64) -> u64,
    ) -> Option<()> {
        let (line, divisor) = (self.get(a)?, self.get(b)?);
        let (line, divisor) = (self.signed(line, w)?, self.signed(divisor, w)?.as_constant()?);
        if line.at < 0 || divisor <= 0 {
            return self.constant(d, a, b, |a, b| exact(w, a, b));
        }
        let line = part(self, line, divisor);
        self.set(d, line)
    }

    /// An operation on two registers that do not change.
    fn constant(&mut self, d: Reg, a: Reg, b: Reg, op: impl FnOnce(u64, u64) -> u64) -> Option<()> {
        let (a, b) = (self.get(a)?.as_constant()?, self.get(b)?.as_constant()?);
        let result = op(u64::try_from(a).ok()?, u64::try_from(b).ok()?);
        self.set(d, Line::constant(result.into()))
    }

    /// Takes the only edge that can be taken.
    fn choose(&mut self, edges: &[Candidate]) -> Option<()> {
        let mut enabled = None;
        for candidate in edges {
            let holds = candidate.guard.map_or(Some(true), |guard| self.holds(guard))?;
            if holds && enabled.replace(candidate).is_some() {
                return None;
            }
        }
        let Candidate { exit, has_code, .. } = enabled?;
        if *has_code { self.go(exit.to) } else { self.edge(exit.to) }
    }

    /// The procedure that is executed now.
    fn body(&self) -> Option<&'c Body> {
        let procedure = match self.called.last() {
            Some(called) => self.code.calls[called.site as usize].callee,
            None => self.machine.thread().frames.last()?.procedure,
        };
        self.code.bodies[procedure.0 as usize].as_ref()
    }

    /// Calls a procedure all of whose values lie in slots, and are assigned before they are read.
    fn enter(&mut self, site: u32) -> Option<()> {
        let CallSite { callee, arguments, boxes, .. } = &self.code.calls[site as usize];
        let body = self.code.bodies[callee.0 as usize].as_ref()?;
        let depth = self.machine.thread().frames.len() + self.called.len();
        if depth >= self.machine.limits.call_depth
            || body.frame.boxes > 0
            || !boxes.is_empty()
            || !body.arbitrary.is_empty()
        {
            return None;
        }
        let base = self.base + self.body()?.frame.slots as usize;
        if base + body.frame.slots as usize > self.machine.regs.len() {
            return None;
        }
        let values = arguments.iter().map(|argument| self.operand(*argument)).collect::<Option<Vec<_>>>()?;
        self.called.push(Called { site, base: self.base });
        self.base = base;
        for register in 0..body.variables.slots {
            self.set(Reg::relative(register), Line::constant(0))?;
        }
        self.assign(&body.parameters, values)?;
        self.calls += 1;
        self.deepest = self.deepest.max(depth + 1);
        self.edge(body.entry)
    }

    fn leave(&mut self) -> Option<()> {
        let body = self.body()?;
        let values = body.results.iter().map(|result| self.operand(*result)).collect::<Option<Vec<_>>>()?;
        let Called { site, base } = self.called.pop()?;
        self.base = base;
        let CallSite { results, exit, .. } = &self.code.calls[site as usize];
        self.assign(results, values)?;
        self.go(exit.to)
    }

    fn operand(&mut self, operand: Operand) -> Option<Line> {
        match operand.home {
            Home::Slot(register) => self.get(register),
            Home::Boxed(_) | Home::Memory => None,
        }
    }

    fn assign(&mut self, targets: &[Operand], values: Vec<Line>) -> Option<()> {
        targets.iter().zip(values).try_for_each(|(target, value)| match target.home {
            Home::Slot(register) => self.set(register, value),
            Home::Boxed(_) | Home::Memory => None,
        })
    }
}

/// A comparison.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Test {
    Equal,
    Less,
    AtMost,
}

/// A power of two.
fn power(exponent: u8) -> Option<i128> {
    (exponent < 127).then(|| 1 << exponent)
}
