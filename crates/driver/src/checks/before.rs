//! What comes before what: which checks control can pass on its way to another one.
//!
//! Where a check is violated, an execution ends. So a proof that nothing violates a check says nothing of executions that would go
//! on behind one that is not proved; this finds out which these are.
//!
//! Invariant: control flow over-approximates what executions do. A call may return to each place where its procedure is called; in
//! a program with threads, everything can come before everything.

use ir::{Cfa, LocId, LocationKind, Op, ProcId, Program, PropertyId};
use pass::starts_threads;
use rustc_hash::FxHashMap;

/// So many are looked at together.
const TOGETHER: usize = u64::BITS as usize;

/// For each check those of some open ones that can come before it.
pub struct Before<'a> {
    open: &'a [PropertyId],
    /// For each check, [`TOGETHER`] of the open ones in a word.
    marks: FxHashMap<PropertyId, Vec<u64>>,
}

impl Before<'_> {
    /// How many come before a check.
    pub fn count(&self, check: PropertyId) -> usize {
        self.marks.get(&check).map_or(0, |words| words.iter().map(|word| word.count_ones() as usize).sum())
    }

    /// Those that come before a check, in order.
    pub fn of(&self, check: PropertyId) -> impl Iterator<Item = PropertyId> {
        let words = self.marks.get(&check).into_iter().flatten().copied();
        let groups = self.open.chunks(TOGETHER).zip(words);
        groups.flat_map(|(group, word)| {
            let is_marked = move |(number, _): &(usize, &PropertyId)| word >> number & 1 == 1;
            group.iter().enumerate().filter(is_marked).map(|(_, earlier)| *earlier)
        })
    }
}

/// For each check those of `open`, which are in order, that can come before it.
pub fn before<'a>(program: &Program, open: &'a [PropertyId]) -> Before<'a> {
    let errors: Vec<(PropertyId, ProcId, LocId)> = errors(program).collect();
    let words = open.len().div_ceil(TOGETHER);
    let mut found = Before { open, marks: FxHashMap::default() };
    let mut note = |check: PropertyId, word: usize, mark: u64| {
        let own = match open.binary_search(&check) {
            Ok(place) if place / TOGETHER == word => 1 << (place % TOGETHER),
            _ => 0,
        };
        if mark & !own != 0 {
            found.marks.entry(check).or_insert_with(|| vec![0; words])[word] |= mark & !own;
        }
    };
    let all = |group: &[PropertyId]| u64::MAX >> (TOGETHER - group.len());
    if starts_threads(program) {
        for (check, ..) in &errors {
            open.chunks(TOGETHER).enumerate().for_each(|(word, group)| note(*check, word, all(group)));
        }
        return found;
    }
    let returns = returns(program);
    let mut places: FxHashMap<PropertyId, Vec<(ProcId, LocId)>> = FxHashMap::default();
    errors.iter().for_each(|(check, procedure, location)| {
        places.entry(*check).or_default().push((*procedure, *location));
    });
    for (word, group) in open.chunks(TOGETHER).enumerate() {
        let mut search = Search { program, returns: &returns, marks: marks(program), pending: Vec::new() };
        for (number, earlier) in group.iter().enumerate() {
            for (procedure, location) in places.get(earlier).into_iter().flatten() {
                let Ok(cfa) = &program.procedure(*procedure).body else { continue };
                for edge in cfa.incoming(*location) {
                    search.go_to(*procedure, cfa.edge(*edge).from, 1 << number);
                }
            }
        }
        let marks = search.run();
        for (check, procedure, location) in &errors {
            note(*check, word, marks[procedure.0 as usize][location.0 as usize]);
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
        let open = [a, b, c];
        let found = before(&program, &open);
        let of = |check| found.of(check).collect::<Vec<_>>();
        assert_eq!([of(a), of(b), of(c), of(d)], [vec![b], vec![], vec![], vec![a, b]]);
        assert_eq!([a, b, c, d].map(|check| found.count(check)), [1, 0, 0, 2]);
    }
}
