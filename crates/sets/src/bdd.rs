//! Reduced ordered binary decision diagrams with complement edges, on the library `oxidd`.
//!
//! A [`Bdd`] is a Boolean function of numbered variables. Equal functions are equal values, so comparing takes constant
//! time. Variables are added at the end of the order.

use oxidd::bcdd::{BCDDFunction, BCDDManagerRef};
use oxidd::{BooleanFunction, BooleanFunctionQuant, Function, HasLevel, Manager, ManagerRef, Node};

/// How many nodes a manager can hold. Memory is taken as they are used.
const NODES: usize = 1 << 24;
const CACHE: usize = 1 << 16;

/// Where functions live that can be combined with each other.
pub struct Bdds {
    manager: BCDDManagerRef,
    variables: u32,
}

/// A Boolean function.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Bdd(BCDDFunction);

/// The manager is full: the functions grew beyond what it can hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Full;

impl Default for Bdds {
    fn default() -> Bdds {
        Bdds::new()
    }
}

impl Bdds {
    pub fn new() -> Bdds {
        Bdds::of_size(NODES)
    }

    /// A manager that holds so many nodes.
    pub fn of_size(nodes: usize) -> Bdds {
        Bdds { manager: oxidd::bcdd::new_manager(nodes, CACHE, 1), variables: 0 }
    }

    /// The function that is the variable of this number; variables up to it come into being.
    pub fn variable(&mut self, number: u32) -> Result<Bdd, Full> {
        if number >= self.variables {
            let more = number + 1 - self.variables;
            self.manager.with_manager_exclusive(|manager| manager.add_vars(more));
            self.variables += more;
        }
        let function = self.manager.with_manager_shared(|manager| BCDDFunction::var(manager, number));
        function.map(Bdd).map_err(|_| Full)
    }

    pub fn constant(&self, value: bool) -> Bdd {
        Bdd(self.manager.with_manager_shared(
            |manager| {
                if value { BCDDFunction::t(manager) } else { BCDDFunction::f(manager) }
            },
        ))
    }
}

impl Bdd {
    pub fn and(&self, other: &Bdd) -> Result<Bdd, Full> {
        self.0.and(&other.0).map(Bdd).map_err(|_| Full)
    }

    pub fn or(&self, other: &Bdd) -> Result<Bdd, Full> {
        self.0.or(&other.0).map(Bdd).map_err(|_| Full)
    }

    pub fn not(&self) -> Result<Bdd, Full> {
        self.0.not().map(Bdd).map_err(|_| Full)
    }

    /// Whether some values of variables make the function true; `variables` is their conjunction.
    pub fn exists(&self, variables: &Bdd) -> Result<Bdd, Full> {
        self.0.exists(&variables.0).map(Bdd).map_err(|_| Full)
    }

    /// Whether every assignment that satisfies this one satisfies the other.
    pub fn entails(&self, other: &Bdd) -> Result<bool, Full> {
        self.0.imp(&other.0).map(|function| function.valid()).map_err(|_| Full)
    }

    pub fn is_false(&self) -> bool {
        !self.0.satisfiable()
    }

    pub fn is_true(&self) -> bool {
        self.0.valid()
    }

    /// The topmost variable, and the functions that are left where it is true and where it is false. `None` for a constant.
    pub fn split(&self) -> Option<(u32, Bdd, Bdd)> {
        let (high, low) = self.0.cofactors()?;
        let variable = self.0.with_manager_shared(|manager, edge| match manager.get_node(edge) {
            Node::Inner(node) => manager.level_to_var(node.level()),
            Node::Terminal(_) => unreachable!("constants have no cofactors"),
        });
        Some((variable, Bdd(high), Bdd(low)))
    }

    /// The number of nodes.
    pub fn size(&self) -> usize {
        self.0.node_count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_canonical() -> Result<(), Full> {
        let mut bdds = Bdds::new();
        let (a, b) = (bdds.variable(0)?, bdds.variable(7)?);
        let nand = a.and(&b)?.not()?;
        assert!(nand == a.not()?.or(&b.not()?)?);
        assert!(a.and(&b)?.entails(&a)?);
        assert!(!a.entails(&a.and(&b)?)?);
        assert!(a.or(&a.not()?)?.is_true());
        assert!(a.and(&a.not()?)? == bdds.constant(false));
        let (variable, high, low) = a.and(&b)?.split().expect("not a constant");
        assert!(variable == 0 && high == b && low.is_false());
        assert!(a.and(&b)?.exists(&a)? == b);
        assert!(a.and(&b)?.exists(&a.and(&b)?)?.is_true());
        Ok(())
    }
}
