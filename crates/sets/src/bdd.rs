//! Reduced ordered binary decision diagrams with complement edges, on the library `oxidd`.
//!
//! A [`Bdd`] is a Boolean function of numbered variables. Equal functions are equal values, so comparing takes constant
//! time. Variables are added at the end of the order; [`Bdds::with_order`] begins with a given one, [`force`] proposes one,
//! and [`Bdds::copy`] moves functions to a manager with another order.
//!
//! An operation ends when the manager has no room for its nodes ([`Full`]). Nodes that no function needs are collected
//! when the manager is nearly full.

#![expect(clippy::mutable_key_type, reason = "what changes inside of a diagram counts references")]

use oxidd::bcdd::{BCDDFunction, BCDDManagerRef};
use oxidd::{
    BooleanFunction, BooleanFunctionQuant, BooleanOperator, Function, FunctionSubst, HasLevel, Manager, ManagerRef,
    Node, Subst,
};
use std::collections::{BTreeSet, HashMap};
use term::{Term, build};

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
        Bdds::sized(nodes, CACHE)
    }

    /// A manager that holds so many nodes, and remembers so many results.
    pub fn sized(nodes: usize, cache: usize) -> Bdds {
        Bdds { manager: oxidd::bcdd::new_manager(nodes, cache, 1), variables: 0 }
    }

    /// A manager that holds at most `nodes` nodes, remembers `cache` results, and orders variables as `order` lists them, from
    /// the top. The list has all numbers below its length.
    pub fn with_order(nodes: usize, cache: usize, order: &[u32]) -> Bdds {
        let manager = oxidd::bcdd::new_manager(nodes, cache, 1);
        let variables = u32::try_from(order.len()).expect("fewer than 2^32 variables");
        manager.with_manager_exclusive(|manager| {
            manager.add_vars(variables);
            // There are no nodes yet, so this moves nothing and cannot run out of memory.
            oxidd_reorder::set_var_order_seq(manager, order);
        });
        Bdds { manager, variables }
    }

    /// The variables from the top of the order.
    pub fn order(&self) -> Vec<u32> {
        self.manager
            .with_manager_shared(|manager| (0..self.variables).map(|level| manager.level_to_var(level)).collect())
    }

    /// The number of nodes that are held now, with those that no function needs any more.
    pub fn nodes(&self) -> usize {
        self.manager.with_manager_shared(|manager| manager.num_inner_nodes())
    }

    /// Frees the nodes that no function needs any more.
    pub fn collect_garbage(&self) {
        self.manager.with_manager_shared(|manager| manager.gc());
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

    /// The conjunction of literals.
    pub fn cube(&mut self, literals: &[(u32, bool)]) -> Result<Bdd, Full> {
        literals.iter().try_fold(self.constant(true), |cube, &(number, value)| {
            let variable = self.variable(number)?;
            cube.and(&if value { variable } else { variable.not()? })
        })
    }

    /// The conjunction of variables: a set of variables, as quantifiers want it.
    pub fn variables(&mut self, numbers: &[u32]) -> Result<Bdd, Full> {
        let literals: Vec<(u32, bool)> = numbers.iter().map(|number| (*number, true)).collect();
        self.cube(&literals)
    }

    /// The renaming that puts the second of each pair in the place of the first, all at the same time. First ones occur once.
    pub fn renaming(&mut self, pairs: &[(u32, u32)]) -> Result<Renaming, Full> {
        let targets = pairs.iter().map(|(_, to)| Ok(self.variable(*to)?.0)).collect::<Result<Vec<_>, Full>>()?;
        for (from, _) in pairs {
            self.variable(*from)?;
        }
        Ok(Renaming(Subst::new(pairs.iter().map(|(from, _)| *from).collect(), targets)))
    }

    /// The same function of the same variables in this manager, whatever manager it comes from.
    pub fn copy(&mut self, function: &Bdd) -> Result<Bdd, Full> {
        let mut copies = HashMap::new();
        self.copy_of(function, &mut copies)
    }

    fn copy_of(&mut self, function: &Bdd, copies: &mut HashMap<Bdd, Bdd>) -> Result<Bdd, Full> {
        let Some((number, high, low)) = function.split() else { return Ok(self.constant(function.is_true())) };
        if let Some(known) = copies.get(function) {
            return Ok(known.clone());
        }
        let (high, low) = (self.copy_of(&high, copies)?, self.copy_of(&low, copies)?);
        let copy = self.variable(number)?.ite(&high, &low)?;
        copies.insert(function.clone(), copy.clone());
        Ok(copy)
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

    pub fn minus(&self, other: &Bdd) -> Result<Bdd, Full> {
        other.0.imp_strict(&self.0).map(Bdd).map_err(|_| Full)
    }

    pub fn iff(&self, other: &Bdd) -> Result<Bdd, Full> {
        self.0.equiv(&other.0).map(Bdd).map_err(|_| Full)
    }

    /// `then` where this function is true, `otherwise` where it is false.
    pub fn ite(&self, then: &Bdd, otherwise: &Bdd) -> Result<Bdd, Full> {
        self.0.ite(&then.0, &otherwise.0).map(Bdd).map_err(|_| Full)
    }

    /// The relational product: `exists variables. self and other`, in one recursion that never builds the conjunction.
    pub fn and_exists(&self, other: &Bdd, variables: &Bdd) -> Result<Bdd, Full> {
        self.0.apply_exists(BooleanOperator::And, &other.0, &variables.0).map(Bdd).map_err(|_| Full)
    }

    /// The cofactor: the function where the literals of a cube hold; their variables do not occur in it.
    pub fn restrict(&self, cube: &Bdd) -> Result<Bdd, Full> {
        self.0.restrict(&cube.0).map(Bdd).map_err(|_| Full)
    }

    pub fn rename(&self, renaming: &Renaming) -> Result<Bdd, Full> {
        self.0.substitute(&renaming.0).map(Bdd).map_err(|_| Full)
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

    /// The variables that the function depends on.
    pub fn support(&self) -> BTreeSet<u32> {
        let (mut support, mut seen, mut pending) = (BTreeSet::new(), BTreeSet::new(), vec![self.clone()]);
        while let Some(function) = pending.pop() {
            if let Some((variable, high, low)) = function.split()
                && seen.insert(function)
            {
                support.insert(variable);
                pending.extend([high, low]);
            }
        }
        support
    }

    /// Whether an assignment satisfies the function.
    pub fn contains(&self, assignment: impl Fn(u32) -> bool) -> bool {
        let mut function = self.clone();
        while let Some((variable, high, low)) = function.split() {
            function = if assignment(variable) { high } else { low };
        }
        function.is_true()
    }

    /// Disjoint cubes whose disjunction is the function; what a cube does not mention is free.
    pub fn cubes(&self) -> Cubes {
        Cubes { pending: vec![(self.clone(), Vec::new())] }
    }

    /// A cube that entails the function, if there is one.
    pub fn model(&self) -> Option<Vec<(u32, bool)>> {
        self.cubes().next()
    }

    /// The function as a term, where `name` gives the term of each variable.
    pub fn to_term(&self, name: &dyn Fn(u32) -> Term) -> Term {
        self.term_of(name, &mut HashMap::new())
    }

    fn term_of(&self, name: &dyn Fn(u32) -> Term, terms: &mut HashMap<Bdd, Term>) -> Term {
        let Some((variable, high, low)) = self.split() else { return build::bool(self.is_true()) };
        if let Some(known) = terms.get(self) {
            return *known;
        }
        let term = build::ite(name(variable), high.term_of(name, terms), low.term_of(name, terms));
        terms.insert(self.clone(), term);
        term
    }
}

/// A simultaneous renaming of variables.
pub struct Renaming(Subst<BCDDFunction>);

/// The cubes of a function, as literals from the top of the order.
pub struct Cubes {
    pending: Vec<(Bdd, Vec<(u32, bool)>)>,
}

impl Iterator for Cubes {
    type Item = Vec<(u32, bool)>;

    fn next(&mut self) -> Option<Vec<(u32, bool)>> {
        while let Some((function, literals)) = self.pending.pop() {
            let Some((variable, high, low)) = function.split() else {
                if function.is_true() {
                    return Some(literals);
                }
                continue;
            };
            let with = |value| literals.iter().copied().chain([(variable, value)]).collect();
            self.pending.extend([(high, with(true)), (low, with(false))]);
        }
        None
    }
}

/// An order of variables in which those that occur together are close: each variable moves again and again to the mean of the
/// centres of its groups. (Aloul, Markov and Sakallah, "FORCE: a fast and easy-to-implement variable-ordering
/// heuristic", 2003.)
pub fn force(variables: u32, groups: &[Vec<u32>]) -> Vec<u32> {
    let span = |order: &[u32]| -> u64 {
        let mut position = vec![0; order.len()];
        order.iter().enumerate().for_each(|(at, variable)| position[*variable as usize] = at as u64);
        let spans = groups.iter().filter_map(|group| {
            let positions = group.iter().map(|variable| position[*variable as usize]);
            Some(positions.clone().max()? - positions.min()?)
        });
        spans.sum()
    };
    let mut order: Vec<u32> = (0..variables).collect();
    let mut best = span(&order);
    loop {
        let mut position = vec![0.0; order.len()];
        order.iter().enumerate().for_each(|(at, variable)| position[*variable as usize] = at as f64);
        let mut centres = vec![(0.0, 0u32); order.len()];
        for group in groups {
            let centre = group.iter().map(|v| position[*v as usize]).sum::<f64>() / group.len().max(1) as f64;
            for variable in group {
                let (sum, count) = &mut centres[*variable as usize];
                (*sum, *count) = (*sum + centre, *count + 1);
            }
        }
        let pull = |variable: u32| match centres[variable as usize] {
            (_, 0) => position[variable as usize],
            (sum, count) => sum / f64::from(count),
        };
        let mut next = order.clone();
        next.sort_by(|a, b| pull(*a).total_cmp(&pull(*b)));
        let length = span(&next);
        if length >= best {
            return order;
        }
        (order, best) = (next, length);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use term::random::Random;
    use term::{Sort, Value};

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

    /// A random formula of the first `variables` variables, as a function and as the table of its values.
    fn random(bdds: &mut Bdds, random: &mut Random, variables: u32, depth: usize) -> (Bdd, Vec<bool>) {
        let assignments = 0..1usize << variables;
        if depth == 0 || random.once_in(6) {
            let variable = random.below(variables as usize) as u32;
            return (bdds.variable(variable).unwrap(), assignments.map(|a| a >> variable & 1 == 1).collect());
        }
        let (f, x) = self::random(bdds, random, variables, depth - 1);
        let (g, y) = self::random(bdds, random, variables, depth - 1);
        let zip = |op: fn(bool, bool) -> bool| x.iter().zip(&y).map(|(a, b)| op(*a, *b)).collect();
        match random.below(5) {
            0 => (f.and(&g).unwrap(), zip(|a, b| a && b)),
            1 => (f.or(&g).unwrap(), zip(|a, b| a || b)),
            2 => (f.iff(&g).unwrap(), zip(|a, b| a == b)),
            3 => (f.minus(&g).unwrap(), zip(|a, b| a && !b)),
            _ => (f.not().unwrap(), x.iter().map(|a| !a).collect()),
        }
    }

    fn table(function: &Bdd, variables: u32) -> Vec<bool> {
        (0..1usize << variables).map(|a| function.contains(|v| a >> v & 1 == 1)).collect()
    }

    #[test]
    fn operations_agree_with_tables() {
        const N: u32 = 5;
        for seed in 0..2000 {
            let mut r = Random::new(seed);
            let mut order: Vec<u32> = (0..N).collect();
            (0..N as usize).for_each(|at| order.swap(at, r.below(N as usize)));
            let mut bdds = Bdds::with_order(1 << 12, 1 << 8, &order);
            assert_eq!(bdds.order(), order);
            let (f, x) = random(&mut bdds, &mut r, N, 4);
            let (g, y) = random(&mut bdds, &mut r, N, 4);
            assert_eq!(table(&f, N), x);
            assert_eq!(f == g, x == y);
            assert_eq!(f.entails(&g).unwrap(), x.iter().zip(&y).all(|(a, b)| !a || *b));
            let quantified: Vec<u32> = (0..N).filter(|_| r.once_in(2)).collect();
            let mask: usize = quantified.iter().map(|v| 1 << v).sum();
            let product = f.and_exists(&g, &bdds.variables(&quantified).unwrap()).unwrap();
            let among = |a: usize| (0..1 << N).any(|b| (a ^ b) & !mask == 0 && x[b] && y[b]);
            assert_eq!(table(&product, N), (0..1 << N).map(among).collect::<Vec<_>>());
            // Renaming in parallel, also where variables change places or two become one.
            let to: Vec<u32> = (0..N).map(|_| r.below(N as usize) as u32).collect();
            let renaming = bdds.renaming(&(0..N).map(|v| (v, to[v as usize])).collect::<Vec<_>>()).unwrap();
            let moved = |a: usize| x[(0..N).map(|v| (a >> to[v as usize] & 1) << v).sum::<usize>()];
            assert_eq!(table(&f.rename(&renaming).unwrap(), N), (0..1 << N).map(moved).collect::<Vec<_>>());
            let literals: Vec<(u32, bool)> = quantified.iter().map(|v| (*v, r.once_in(2))).collect();
            let fixed: usize = literals.iter().filter(|(_, value)| *value).map(|(v, _)| 1 << v).sum();
            let restricted = f.restrict(&bdds.cube(&literals).unwrap()).unwrap();
            assert_eq!(table(&restricted, N), (0..1 << N).map(|a| x[a & !mask | fixed]).collect::<Vec<_>>());
            assert!(restricted.support().iter().all(|v| !quantified.contains(v)));
            // The cubes are disjoint and cover the function.
            let mut covered = vec![0; 1 << N];
            for cube in f.cubes() {
                let agrees = |a: usize| cube.iter().all(|(v, value)| (a >> v & 1 == 1) == *value);
                (0..1 << N).filter(|a| agrees(*a)).for_each(|a| covered[a] += 1);
            }
            assert_eq!(covered, x.iter().map(|a| usize::from(*a)).collect::<Vec<_>>());
            assert_eq!(f.model().is_some(), x.contains(&true));
            let mut other = Bdds::new();
            assert_eq!(table(&other.copy(&f).unwrap(), N), x);
        }
    }

    #[test]
    fn terms_say_what_functions_say() {
        let name = |v: u32| Term::var(format!("b{v}").as_str(), Sort::bool());
        for seed in 0..200 {
            let mut bdds = Bdds::of_size(1 << 12);
            let (f, x) = random(&mut bdds, &mut Random::new(seed), 4, 4);
            let term = f.to_term(&name);
            for (a, expected) in x.iter().enumerate() {
                let value = |v: Term| (0..4).find(|n| name(*n) == v).map(|n| Value::Bool(a >> n & 1 == 1));
                assert_eq!(term::eval::evaluate(term, &value), Some(Value::Bool(*expected)));
            }
        }
    }

    #[test]
    fn force_brings_together_what_belongs_together() {
        // A relation x_i = y_i, with all x before all y, is linear only if pairs are next to each other.
        const PAIRS: u32 = 10;
        let groups: Vec<Vec<u32>> = (0..PAIRS).map(|i| vec![i, i + PAIRS]).collect();
        let order = force(2 * PAIRS, &groups);
        let mut sizes = Vec::new();
        for order in [(0..2 * PAIRS).collect::<Vec<_>>(), order] {
            let mut bdds = Bdds::with_order(1 << 16, 1 << 12, &order);
            let mut relation = bdds.constant(true);
            for group in &groups {
                let (x, y) = (bdds.variable(group[0]).unwrap(), bdds.variable(group[1]).unwrap());
                relation = relation.and(&x.iff(&y).unwrap()).unwrap();
            }
            sizes.push(relation.size());
        }
        assert!(sizes[0] > 1000 && sizes[1] < 50, "{sizes:?}");
    }

    /// Quantification needs the results that it remembers: without them it would take time exponential in the number of pairs.
    #[test]
    fn results_are_remembered() -> Result<(), Full> {
        const PAIRS: u32 = 60;
        let order: Vec<u32> = (0..2 * PAIRS).rev().collect();
        for mut bdds in [Bdds::of_size(1 << 14), Bdds::with_order(1 << 14, 1 << 12, &order)] {
            let mut relation = bdds.constant(true);
            for pair in 0..PAIRS {
                let (x, y) = (bdds.variable(2 * pair)?, bdds.variable(2 * pair + 1)?);
                relation = relation.and(&x.iff(&y)?)?;
            }
            let quantified: Vec<u32> = (0..PAIRS).map(|pair| 2 * pair).collect();
            assert!(relation.exists(&bdds.variables(&quantified)?)?.is_true());
        }
        Ok(())
    }

    #[test]
    fn a_full_manager_ends_operations() {
        let mut bdds = Bdds::of_size(200);
        let mut sum = bdds.constant(false);
        let mut grow = || -> Result<(), Full> {
            for i in 0..40 {
                sum = sum.iff(&bdds.variable(i)?.and(&bdds.variable((7 * i + 3) % 40)?)?)?;
            }
            Ok(())
        };
        assert_eq!(grow(), Err(Full));
    }
}
