//! What comes before what: which checks control can pass on its way to another one.
//!
//! Where a check is violated, an execution ends. So a proof that nothing violates a check says nothing of executions that would go
//! on behind one that is not proved; this finds out which these are.
//!
//! Invariant: control flow over-approximates what executions do. A call may return to each place where its procedure is called; in
//! a program with threads, everything can come before everything.

use ir::{Cfa, LocId, LocationKind, Op, ProcId, Program, PropertyId};
use pass::starts_threads;
use rustc_hash::{FxHashMap, FxHashSet};

/// So many are looked at together.
const TOGETHER: usize = u64::BITS as usize;

/// For each check those of `open` that can come before it, in order.
pub fn before(program: &Program, open: &[PropertyId]) -> FxHashMap<PropertyId, Vec<PropertyId>> {
    let errors: Vec<(PropertyId, ProcId, LocId)> = errors(program).collect();
    let mut found: FxHashMap<PropertyId, Vec<PropertyId>> = FxHashMap::default();
    let mut note = |check: PropertyId, earlier: PropertyId| {
        let known = found.entry(check).or_default();
        if check != earlier && known.last() != Some(&earlier) && !known.contains(&earlier) {
            known.push(earlier);
        }
    };
    if starts_threads(program) {
        let checks: FxHashSet<PropertyId> = errors.iter().map(|(check, ..)| *check).collect();
        checks.iter().for_each(|check| open.iter().for_each(|earlier| note(*check, *earlier)));
        return found;
    }
    let returns = returns(program);
    for group in open.chunks(TOGETHER) {
        let mut search = Search { program, returns: &returns, marks: marks(program), pending: Vec::new() };
        for (number, earlier) in group.iter().enumerate() {
            for (_, procedure, location) in errors.iter().filter(|(check, ..)| check == earlier) {
                let Ok(cfa) = &program.procedure(*procedure).body else { continue };
                for edge in cfa.incoming(*location) {
                    search.go_to(*procedure, cfa.edge(*edge).from, 1 << number);
                }
            }
        }
        let marks = search.run();
        for (check, procedure, location) in &errors {
            let mark = marks[procedure.0 as usize][location.0 as usize];
            let earlier = group.iter().enumerate().filter(|(number, _)| mark >> number & 1 == 1);
            earlier.for_each(|(_, earlier)| note(*check, *earlier));
        }
    }
    found
}

/// All error locations.
fn errors(program: &Program) -> impl Iterator<Item = (PropertyId, ProcId, LocId)> {
    let of = |(id, cfa): (ProcId, &Cfa)| {
        let error = |(location, data): (LocId, &ir::Location)| match data.kind {
            LocationKind::Error(property) => Some((property, id, location)),
            _ => None,
        };
        cfa.locations().filter_map(error).collect::<Vec<_>>()
    };
    program.procedures().filter_map(|(id, procedure)| Some((id, procedure.body.as_ref().ok()?))).flat_map(of)
}

/// Where control goes on when a procedure returns, by procedure.
fn returns(program: &Program) -> Vec<Vec<(ProcId, LocId)>> {
    let mut returns = vec![Vec::new(); program.procedures.len()];
    for (id, procedure) in program.procedures() {
        for (_, edge) in procedure.body.iter().flat_map(Cfa::edges) {
            if let Op::Call { procedure: callee, .. } = edge.op {
                returns[callee.0 as usize].push((id, edge.to));
            }
        }
    }
    returns
}

/// A set of numbers for each location.
type Marks = Vec<Vec<u64>>;

fn marks(program: &Program) -> Marks {
    let count = |procedure: &ir::Procedure| procedure.body.as_ref().map_or(0, Cfa::location_count);
    program.procedures.iter().map(|procedure| vec![0; count(procedure)]).collect()
}

struct Search<'p> {
    program: &'p Program,
    returns: &'p [Vec<(ProcId, LocId)>],
    marks: Marks,
    pending: Vec<(ProcId, LocId)>,
}

impl Search<'_> {
    fn go_to(&mut self, procedure: ProcId, location: LocId, mark: u64) {
        let known = &mut self.marks[procedure.0 as usize][location.0 as usize];
        if *known | mark != *known {
            *known |= mark;
            self.pending.push((procedure, location));
        }
    }

    fn run(mut self) -> Marks {
        let (program, returns) = (self.program, self.returns);
        while let Some((procedure, location)) = self.pending.pop() {
            let Ok(cfa) = &program.procedure(procedure).body else { continue };
            let mark = self.marks[procedure.0 as usize][location.0 as usize];
            if location == cfa.exit() {
                returns[procedure.0 as usize].iter().for_each(|(caller, behind)| self.go_to(*caller, *behind, mark));
            }
            for edge in cfa.outgoing(location).iter().map(|id| cfa.edge(*id)) {
                self.go_to(procedure, edge.to, mark);
                if let Op::Call { procedure: callee, .. } = edge.op
                    && let Ok(body) = &program.procedure(callee).body
                {
                    self.go_to(callee, body.entry(), mark);
                }
            }
        }
        self.marks
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_flow_tells_what_comes_before() {
        let text = "property a unreach-call\nproperty b unreach-call\nproperty c unreach-call\nproperty d unreach-call\n\
             procedure f() {\n location ea error a\n entry -> ea\n entry -> exit\n}\n\
             procedure main() {\n location eb error b\n location ec error c\n location ed error d\n\
             entry -> one\n entry -> two\n one -> eb\n one -> three: call f()\n two -> ec\n two -> exit\n three -> ed\n\
             three -> exit\n}\n";
        let program = ir::parse(text).unwrap_or_else(|errors| panic!("{errors:?}"));
        let [a, b, c, d] = [0, 1, 2, 3].map(PropertyId);
        let found = before(&program, &[a, b, c]);
        let of = |check| found.get(&check).cloned().unwrap_or_default();
        assert_eq!([of(a), of(b), of(c), of(d)], [vec![b], vec![], vec![], vec![a, b]]);
    }
}
