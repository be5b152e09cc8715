//! The engines there are. Whoever adds one adds a line to [`ENGINES`]: the command line, the choice and the tests follow.

use engine::Engine;

/// The name that lets Fathom choose.
pub const AUTO: &str = "auto";

/// An engine, and how to make one with its default options.
pub struct Entry {
    pub name: &'static str,
    pub make: fn() -> Box<dyn Engine>,
}

/// All engines, in the order in which [`AUTO`] tries them.
pub const ENGINES: &[Entry] = &[];

/// What may be asked for: [`AUTO`] and every engine by its name.
pub fn names() -> Vec<&'static str> {
    std::iter::once(AUTO).chain(ENGINES.iter().map(|entry| entry.name)).collect()
}

/// The engines that a name stands for.
pub fn named(name: &str) -> impl Iterator<Item = &'static Entry> {
    ENGINES.iter().filter(move |entry| name == AUTO || name == entry.name)
}
