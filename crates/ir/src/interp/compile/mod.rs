//! Compiling procedures to code, each when it is first called.
//!
//! A location becomes the code that decides which of its edges is taken (`branch`), followed by the code of the edges
//! (`edge`). The terms of one edge are compiled together (`unit`), so that what they share is computed once. Assigning an
//! array or the memory from its own old value happens in place where nothing else needs the old one (`in_place`).

mod assign;
mod branch;
mod edge;
mod emit;
mod floats;
mod in_place;
mod live;
mod unit;
mod uses;

use super::arrays::Boxed;
use super::code::{Body, Code, Declared, Exit, Operand, Origin, Pc, Probe};
use super::instr::Instr;
use super::layout::{CONSTANTS, Extent, Home, Layout, Reg, encode, frame_homes, variables};
use crate::{Cfa, EdgeId, LocId, LocationKind, ProcId, Procedure, Program, Variable};
use rustc_hash::{FxHashMap, FxHashSet};
use term::{Term, Value};
use uses::Costs;

/// What compiling needs and remembers from one procedure to the next.
#[derive(Default, Debug)]
pub(super) struct Memo {
    costs: Costs,
    /// Constants by value: slots and boxes.
    slots: FxHashMap<u128, u32>,
    boxes: FxHashMap<Value, u32>,
}

/// Compiles one procedure.
struct Compiler<'c> {
    program: &'c Program,
    layout: &'c Layout,
    code: &'c mut Code,
    memo: &'c mut Memo,
    procedure: &'c Procedure,
    homes: FxHashMap<Term, Home>,
    variables: Extent,
    frame: Extent,
    origins: Vec<(Pc, Origin)>,
    /// Jumps to locations that have no code yet.
    fixups: Vec<(Fixup, LocId)>,
}

/// Where the number of a location's code is to be written.
#[derive(Clone, Copy, Debug)]
enum Fixup {
    Done(usize),
    Exit(usize),
    Case(usize, u128),
    OtherCase(usize),
    Candidate(usize, usize),
    Call(usize),
}

/// Compiles a procedure that has a body.
pub(super) fn compile(program: &Program, layout: &Layout, code: &mut Code, memo: &mut Memo, id: ProcId) -> Option<()> {
    let procedure = program.procedure(id);
    let cfa = procedure.body.as_ref().ok()?;
    let (homes, extent) = frame_homes(procedure);
    let mut compiler = Compiler {
        program,
        layout,
        code,
        memo,
        procedure,
        homes,
        variables: extent,
        frame: extent,
        origins: Vec::new(),
        fixups: Vec::new(),
    };
    let body = compiler.body(cfa);
    compiler.code.bodies[id.0 as usize] = Some(body);
    Some(())
}

/// Compiles the question whether a location can be left.
pub(super) fn compile_probe(
    program: &Program,
    layout: &Layout,
    code: &mut Code,
    memo: &mut Memo,
    (id, location): (ProcId, LocId),
) -> Option<Probe> {
    let procedure = program.procedure(id);
    let cfa = procedure.body.as_ref().ok()?;
    let body = code.bodies.get_mut(id.0 as usize)?.take()?;
    let mut compiler = Compiler {
        program,
        layout,
        code,
        memo,
        procedure,
        homes: body.homes,
        variables: body.variables,
        frame: body.frame,
        origins: body.origins,
        fixups: Vec::new(),
    };
    let probe = compiler.probe(cfa, location);
    let Compiler { homes, frame, origins, .. } = compiler;
    code.bodies[id.0 as usize] = Some(Body { homes, frame, origins, ..body });
    Some(probe)
}

impl Compiler<'_> {
    fn body(&mut self, cfa: &Cfa) -> Body {
        let unknown = Pc::MAX;
        let mut locations = vec![unknown; cfa.location_count()];
        let mut stack = vec![cfa.entry()];
        while let Some(location) = stack.pop() {
            if locations[location.0 as usize] == unknown {
                locations[location.0 as usize] = self.code.instrs.len() as Pc;
                self.location(cfa, location);
                stack.extend(cfa.outgoing(location).iter().rev().map(|edge| cfa.edge(*edge).to));
            }
        }
        for (fixup, location) in std::mem::take(&mut self.fixups) {
            self.fix(fixup, locations[location.0 as usize]);
        }
        let operands = |variables: &[Variable]| variables.iter().map(|v| self.operand_of(v.term)).collect();
        Body {
            entry: locations[cfa.entry().0 as usize],
            frame: self.frame,
            variables: self.variables,
            parameters: operands(&self.procedure.parameters),
            results: operands(&self.procedure.results),
            arbitrary: self.arbitrary(cfa),
            globals_read_first: self.globals_read_first(cfa),
            homes: std::mem::take(&mut self.homes),
            origins: std::mem::take(&mut self.origins),
        }
    }

    /// The variables that may be read before they are assigned.
    fn arbitrary(&self, cfa: &Cfa) -> Vec<(usize, Home)> {
        let parameters = self.procedure.parameters.len();
        let candidates: Vec<Term> = variables(self.procedure).skip(parameters).map(|v| v.term).collect();
        let results: Vec<Term> = self.procedure.results.iter().map(|v| v.term).collect();
        let live = live::at_entry(cfa, &candidates, &results, false);
        let number = |v: Term| candidates.iter().position(|c| *c == v);
        live.into_iter().filter_map(|v| Some((parameters + number(v)?, self.home(v)?))).collect()
    }

    /// The globals that may be read before they are assigned, if a thread starts here: for the first thread all of them
    /// matter, for others their own copies.
    fn globals_read_first(&self, cfa: &Cfa) -> FxHashSet<Term> {
        let is_entry = std::ptr::eq(self.procedure, self.program.procedure(self.program.entry));
        let globals = self.program.globals.iter().filter(|global| is_entry || global.thread_local);
        let globals: Vec<Term> = globals.map(|global| global.term).collect();
        live::at_entry(cfa, &globals, &[], true).into_iter().collect()
    }

    fn location(&mut self, cfa: &Cfa, location: LocId) {
        self.mark(location, None);
        let leaves = !cfa.outgoing(location).is_empty();
        if location == cfa.exit() {
            self.code.instrs.push(Instr::Return);
        } else if !leaves || cfa.location(location).kind != LocationKind::Plain {
            self.code.instrs.push(Instr::Stop);
        } else {
            self.branch(cfa, location);
        }
    }

    /// Notes what the code from here on is for.
    fn mark(&mut self, location: LocId, edge: Option<EdgeId>) {
        self.origins.push((self.code.instrs.len() as Pc, Origin { location, edge }));
    }

    fn fix(&mut self, fixup: Fixup, to: Pc) {
        match fixup {
            Fixup::Done(at) => {
                if let Instr::Done { to: target, .. } = &mut self.code.instrs[at] {
                    *target = to;
                }
            }
            Fixup::Exit(at) => self.code.exits[at].to = to,
            Fixup::Case(k, value) => {
                if let Some(exit) = self.code.switches[k].cases.get_mut(&value) {
                    exit.to = to;
                }
            }
            Fixup::OtherCase(k) => {
                if let Some(exit) = &mut self.code.switches[k].other {
                    exit.to = to;
                }
            }
            Fixup::Candidate(k, i) => self.code.choices[k].edges[i].exit.to = to,
            Fixup::Call(k) => self.code.calls[k].exit.to = to,
        }
    }

    /// The exit for an edge; where it leads is filled in later.
    fn exit(edge: EdgeId) -> Exit {
        Exit { edge, to: Pc::MAX }
    }

    /// Where a variable is, if it is one of the program's.
    fn home(&self, variable: Term) -> Option<Home> {
        self.homes.get(&variable).or_else(|| self.layout.homes.get(&variable)).copied()
    }

    fn operand_of(&self, variable: Term) -> Operand {
        // A variable without a home is in no valid program; memory's home is as good as any to report it.
        Operand { home: self.home(variable).unwrap_or(Home::Memory), sort: variable.sort() }
    }

    fn declared(&self, variable: Term) -> Option<Declared> {
        let global = || self.program.globals.iter().position(|v| v.term == variable).map(Declared::Global);
        variables(self.procedure).position(|v| v.term == variable).map(Declared::Local).or_else(global)
    }

    /// The number of a constant that lies in a slot.
    fn slot_constant(&mut self, slot: u128) -> u32 {
        *self.memo.slots.entry(slot).or_insert_with(|| {
            self.code.constants.push(slot);
            self.code.constants.len() as u32 - 1
        })
    }

    /// Where a constant is, or the instruction that is to load it.
    fn constant(&mut self, value: &Value) -> Result<Home, Load> {
        match encode(value) {
            Some(slot) => {
                let k = self.slot_constant(slot);
                if k < CONSTANTS {
                    Ok(Home::Slot(Reg::absolute(self.layout.globals.slots + k)))
                } else {
                    Err(Load(|d, k| Instr::Const { d, k }, k))
                }
            }
            None => {
                let k = *self.memo.boxes.entry(value.clone()).or_insert_with(|| {
                    self.code.boxed_constants.push(Boxed::new(value.clone()));
                    self.code.boxed_constants.len() as u32 - 1
                });
                if k < CONSTANTS {
                    Ok(Home::Boxed(Reg::absolute(self.layout.globals.boxes + k)))
                } else {
                    Err(Load(|d, k| Instr::BoxedConst { d, k }, k))
                }
            }
        }
    }
}

/// How a constant without a register is loaded: an instruction and the constant's number.
struct Load(fn(Reg, u32) -> Instr, u32);
