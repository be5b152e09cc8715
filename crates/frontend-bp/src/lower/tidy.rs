//! Drops what control cannot reach.

use ir::{Cfa, LocId};

pub fn tidy(cfa: Cfa) -> Cfa {
    let mut numbers: Vec<Option<LocId>> = vec![None; cfa.location_count()];
    let mut kept = vec![cfa.entry(), cfa.exit()];
    numbers[cfa.entry().0 as usize] = Some(LocId(0));
    numbers[cfa.exit().0 as usize] = Some(LocId(1));
    let mut next = 0;
    while let Some(&location) = kept.get(next) {
        next += 1;
        for edge in cfa.outgoing(location) {
            let to = cfa.edge(*edge).to;
            if numbers[to.0 as usize].is_none() {
                numbers[to.0 as usize] = Some(LocId(kept.len() as u32));
                kept.push(to);
            }
        }
    }
    let locations = kept.iter().map(|location| cfa.location(*location).clone()).collect();
    let edges = cfa.edges().filter_map(|(_, edge)| {
        let mut edge = edge.clone();
        edge.from = numbers[edge.from.0 as usize]?;
        edge.to = numbers[edge.to.0 as usize]?;
        Some(edge)
    });
    Cfa::new(locations, edges.collect(), LocId(0), LocId(1))
}
