//! What the search has to know of a program before it executes it.

use analysis::live::Live;
use ir::{Cfa, EdgeId, LocId, Op, ProcId, Program};
use rustc_hash::FxHashSet;
use term::{Op as TermOp, SortKind, Term};

/// Tables of a program.
pub struct Tables<'p> {
    pub program: &'p Program,
    procedures: Vec<Tabled>,
}

/// Tables of a procedure, by its locations and edges.
#[derive(Default)]
struct Tabled {
    /// The variables that make up the state at a location, where an input is asked for.
    asks: Vec<Option<Vec<Term>>>,
    /// The variables of the caller that make up its state, where the call may lead to a question.
    calls: Vec<Option<Vec<Term>>>,
    /// The places in memory that an edge stores to, and the values.
    stores: Vec<Vec<(Term, Term)>>,
}

impl<'p> Tables<'p> {
    pub fn new(program: &'p Program) -> Tables<'p> {
        let relevant = analysis::relevant::relevant(program);
        let asking = asking(program, &relevant);
        let procedures = program.procedures().map(|(id, _)| Tabled::new(program, id, &relevant, &asking)).collect();
        Tables { program, procedures }
    }

    /// Whether the program never asks.
    pub fn is_empty(&self) -> bool {
        self.procedures.iter().all(|tabled| tabled.asks.iter().all(Option::is_none))
    }

    /// Whether the program stores anything in memory.
    pub fn has_stores(&self) -> bool {
        self.procedures.iter().any(|tabled| tabled.stores.iter().any(|stores| !stores.is_empty()))
    }

    /// The variables that make up the state at a location where an input is asked for.
    pub fn asks(&self, procedure: ProcId, location: LocId) -> Option<&[Term]> {
        self.procedures[procedure.0 as usize].asks.get(location.0 as usize)?.as_deref()
    }

    /// The places in memory that an edge stores to, and the values.
    pub fn stores(&self, procedure: ProcId, edge: EdgeId) -> &[(Term, Term)] {
        self.procedures[procedure.0 as usize].stores.get(edge.0 as usize).map_or(&[], |stores| &stores[..])
    }

    /// The variables of the caller that make up its state, where the call may lead to a question.
    pub fn calls(&self, procedure: ProcId, edge: EdgeId) -> Option<&[Term]> {
        self.procedures[procedure.0 as usize].calls.get(edge.0 as usize)?.as_deref()
    }
}

impl Tabled {
    fn new(program: &Program, id: ProcId, relevant: &FxHashSet<Term>, asking: &FxHashSet<ProcId>) -> Tabled {
        let procedure = program.procedure(id);
        let Ok(cfa) = &procedure.body else { return Tabled::default() };
        let stores = cfa.edges().map(|(_, edge)| stores(&edge.op, relevant)).collect();
        if !asking.contains(&id) {
            return Tabled { stores, ..Tabled::default() };
        }
        let live = Live::new(program, id);
        let matters = |at: LocId, variable: &Term| {
            relevant.contains(variable)
                && live.at(at, *variable)
                && !matches!(variable.sort().kind(), SortKind::Memory(_) | SortKind::Array(..))
        };
        let variables = procedure.parameters.iter().chain(&procedure.results).chain(&procedure.locals);
        let locals: Vec<Term> = variables.map(|variable| variable.term).collect();
        let globals: Vec<Term> = program.globals.iter().map(|variable| variable.term).collect();
        let asks = cfa.locations().map(|(at, _)| {
            let asks = cfa.outgoing(at).iter().any(|edge| asks(program, cfa, *edge, relevant));
            asks.then(|| globals.iter().chain(&locals).filter(|variable| matters(at, variable)).copied().collect())
        });
        let calls = cfa.edges().map(|(_, edge)| match &edge.op {
            Op::Call { procedure, .. } if asking.contains(procedure) => {
                Some(locals.iter().filter(|variable| matters(edge.to, variable)).copied().collect())
            }
            _ => None,
        });
        Tabled { asks: asks.collect(), calls: calls.collect(), stores }
    }
}

/// The places in memory that an operation stores to, and the values.
fn stores(op: &Op, relevant: &FxHashSet<Term>) -> Vec<(Term, Term)> {
    let mut stores = Vec::new();
    let Op::Assign(pairs) = op else { return stores };
    for (_, value) in pairs.iter().filter(|(variable, _)| relevant.contains(variable)) {
        let mut memory = *value;
        while let (TermOp::MemStore, [before, pointer, stored]) = (memory.op(), memory.args()) {
            stores.push((*pointer, *stored));
            memory = *before;
        }
    }
    stores
}

/// Whether an edge asks for an input that makes a difference.
fn asks(program: &Program, cfa: &Cfa, edge: EdgeId, relevant: &FxHashSet<Term>) -> bool {
    match &cfa.edge(edge).op {
        Op::Havoc(variables) => variables.iter().any(|variable| relevant.contains(variable)),
        Op::Call { procedure, results, .. } => {
            program.procedure(*procedure).body.is_err() && results.iter().any(|result| relevant.contains(result))
        }
        _ => false,
    }
}

/// The procedures that ask, themselves or through others.
fn asking(program: &Program, relevant: &FxHashSet<Term>) -> FxHashSet<ProcId> {
    let mut asking = FxHashSet::default();
    loop {
        let before = asking.len();
        for (id, procedure) in program.procedures() {
            let Ok(cfa) = &procedure.body else { continue };
            let leads = cfa.edges().any(|(number, edge)| {
                asks(program, cfa, number, relevant)
                    || matches!(&edge.op, Op::Call { procedure, .. } if asking.contains(procedure))
            });
            if leads {
                asking.insert(id);
            }
        }
        if asking.len() == before {
            return asking;
        }
    }
}
