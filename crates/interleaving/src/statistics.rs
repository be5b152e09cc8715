//! What the engine measures.

use engine::Statistics;

#[derive(Clone, Default, Debug)]
pub struct Figures {
    pub explored: u64,
    pub subsumed: u64,
    pub most_threads: u64,
    pub reduced: u64,
    pub resumed: u64,
    pub guard_queries: u64,
    pub filtered_guards: u64,
    pub comparisons: u64,
    pub filtered_comparisons: u64,
    pub unions: u64,
    pub rounds: u64,
    pub restated: u64,
    pub nodes: u64,
}

impl Figures {
    pub fn write(&self, statistics: &mut Statistics) {
        for (name, figure) in [
            ("states explored", self.explored),
            ("states subsumed", self.subsumed),
            ("threads at most", self.most_threads),
            ("states with a reduction", self.reduced),
            ("reductions taken back", self.resumed),
            ("questions about guards", self.guard_queries),
            ("guards without a question", self.filtered_guards),
            ("comparisons by a solver", self.comparisons),
            ("comparisons without a solver", self.filtered_comparisons),
            ("comparisons with several states", self.unions),
            ("rounds of expansion", self.rounds),
            ("states in other words", self.restated),
            ("nodes of the graph", self.nodes),
        ] {
            statistics.count(name, figure);
        }
    }
}
