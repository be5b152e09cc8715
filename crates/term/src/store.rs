//! The store of terms: one node for each operator and its arguments, shared by all threads.

use crate::typing::{SortError, sort_of};
use crate::{Bv, Op, Sort, Value, float};
use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;
use source::Symbol;
use std::hash::{BuildHasher, Hash, Hasher};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{LazyLock, Mutex};

struct Node {
    id: u32,
    hash: u64,
    sort: Sort,
    op: Op,
    args: Args,
}

/// Arguments, in the node itself where they are few: most nodes are looked at for their arguments.
enum Args {
    None,
    One([Term; 1]),
    Two([Term; 2]),
    Three([Term; 3]),
    Many(Box<[Term]>),
}

impl Args {
    fn new(args: &[Term]) -> Args {
        match *args {
            [] => Args::None,
            [a] => Args::One([a]),
            [a, b] => Args::Two([a, b]),
            [a, b, c] => Args::Three([a, b, c]),
            _ => Args::Many(args.into()),
        }
    }

    fn as_slice(&self) -> &[Term] {
        match self {
            Args::None => &[],
            Args::One(args) => args,
            Args::Two(args) => args,
            Args::Three(args) => args,
            Args::Many(args) => args,
        }
    }
}

/// A hash-consed, well-sorted term. Copying and comparing it is a pointer's work.
///
/// Terms are ordered by age: a term is greater than its arguments. The order is the same in each run of a
/// single-threaded program.
#[derive(Clone, Copy)]
pub struct Term(&'static Node);

const SHARDS: usize = 64;
static STORE: LazyLock<[Mutex<HashTable<&'static Node>>; SHARDS]> =
    LazyLock::new(|| std::array::from_fn(|_| Mutex::default()));
static NEXT_ID: AtomicU32 = AtomicU32::new(0);

/// Spreads a hash over all its bits. The hasher is linear in the last number, and arguments' numbers are neighbours.
fn scrambled(hash: u64) -> u64 {
    let folded = (hash ^ (hash >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    folded ^ (folded >> 29)
}

impl Term {
    /// The term `op(args)` exactly as given: nothing is simplified (see [`crate::build`] for that).
    pub fn try_new(op: Op, args: &[Term]) -> Result<Term, SortError> {
        let hash = scrambled(FxBuildHasher.hash_one((&op, args)));
        // Inside a shard the table goes by the hash's lowest and highest bits: the shard is chosen by others.
        let mut shard = STORE[(hash >> 40) as usize % SHARDS].lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some(node) = shard.find(hash, |node| node.hash == hash && node.op == op && node.args.as_slice() == args)
        {
            return Ok(Term(node));
        }
        let sort = sort_of(&op, args)?;
        let id = NEXT_ID.fetch_add(1, Ordering::Relaxed);
        let node: &'static Node = Box::leak(Box::new(Node { id, hash, sort, op, args: Args::new(args) }));
        shard.insert_unique(hash, node, |node| node.hash);
        Ok(Term(node))
    }

    /// As [`Term::try_new`], for arguments that are known to fit.
    ///
    /// # Panics
    /// If the arguments' sorts do not fit the operator: a bug of the caller.
    pub fn new(op: Op, args: &[Term]) -> Term {
        match Term::try_new(op, args) {
            Ok(term) => term,
            Err(error) => panic!("{error}"),
        }
    }

    pub fn op(self) -> &'static Op {
        &self.0.op
    }

    pub fn args(self) -> &'static [Term] {
        self.0.args.as_slice()
    }

    pub fn sort(self) -> Sort {
        self.0.sort
    }

    /// A number that no other term has, smaller for older terms.
    pub fn id(self) -> u32 {
        self.0.id
    }

    /// The constant of a value. A float may have any bit pattern: all NaNs give the one NaN.
    pub fn constant(value: Value) -> Term {
        let value = match value {
            Value::Float(format, bits) => Value::Float(format, float::canonical(format, bits)),
            value => value,
        };
        Term::new(Op::Const(value), &[])
    }

    /// The program variable of this name and sort.
    pub fn var(name: impl Into<Symbol>, sort: Sort) -> Term {
        Term::new(Op::Var { name: name.into(), instance: 0, sort }, &[])
    }

    /// The value, if this is a constant.
    pub fn value(self) -> Option<&'static Value> {
        match self.op() {
            Op::Const(value) => Some(value),
            _ => None,
        }
    }

    /// The truth value, if this is one.
    pub fn as_bool(self) -> Option<bool> {
        self.value()?.as_bool()
    }

    /// The bits, if this is a bit-vector constant.
    pub fn as_bv(self) -> Option<Bv> {
        self.value()?.as_bv()
    }

    pub fn is_var(self) -> bool {
        matches!(self.op(), Op::Var { .. })
    }

    /// The name, if this is a variable.
    pub fn name(self) -> Option<Symbol> {
        match self.op() {
            Op::Var { name, .. } => Some(*name),
            _ => None,
        }
    }

    /// This variable's copy with another instance number.
    ///
    /// # Panics
    /// If this is no variable.
    pub fn at_instance(self, instance: u32) -> Term {
        match self.op() {
            Op::Var { name, sort, .. } => Term::new(Op::Var { name: *name, instance, sort: *sort }, &[]),
            op => panic!("{op:?} is no variable"),
        }
    }
}

impl PartialEq for Term {
    fn eq(&self, other: &Term) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

impl Eq for Term {}

impl PartialOrd for Term {
    fn partial_cmp(&self, other: &Term) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Term {
    fn cmp(&self, other: &Term) -> std::cmp::Ordering {
        self.id().cmp(&other.id())
    }
}

impl Hash for Term {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u32(self.id());
    }
}
